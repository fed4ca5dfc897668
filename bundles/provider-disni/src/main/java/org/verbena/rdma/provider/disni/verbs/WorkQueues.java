package org.verbena.rdma.provider.disni.verbs;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;

/**
 * Finds the queue that a completion belongs to. A native work request number is made of a key and a slot; the key is an
 * index into a table and a generation, so that a late completion of a queue that is gone is recognized.
 *
 * <p>Adding and removing is guarded by this object's monitor; finding reads an array that is never changed after it was
 * published, except for elements, whose stale sight the generation makes harmless.
 */
final class WorkQueues {
    private static final int INDEX_BITS = 20;
    private static final int INDEX_MASK = (1 << INDEX_BITS) - 1;
    private static final int GENERATION_MASK = 0x7FF;
    private static final int KEY_SHIFT = 32;

    private record Entry(int key, WorkQueue queue) {}

    private volatile Entry[] entries = new Entry[0];
    private final Deque<Integer> free = new ArrayDeque<>();
    private int generation;

    /** Adds a queue and returns its key. */
    synchronized int add(WorkQueue queue) throws RdmaException {
        Integer index = free.poll();
        Entry[] present = entries;
        if (index == null) {
            index = present.length;
            if (index > INDEX_MASK) {
                throw new RdmaException(RdmaError.NO_MEMORY, "too many queues: close some");
            }
            // Grown by half, with the new places free.
            Entry[] larger = Arrays.copyOf(present, Math.min(INDEX_MASK + 1, present.length + present.length / 2 + 8));
            for (int i = present.length + 1; i < larger.length; i++) {
                free.add(i);
            }
            present = larger;
        }
        generation = generation + 1 & GENERATION_MASK;
        int key = generation << INDEX_BITS | index;
        present[index] = new Entry(key, queue);
        entries = present;
        return key;
    }

    synchronized void remove(int key) {
        Entry[] present = entries;
        int index = key & INDEX_MASK;
        present[index] = null;
        entries = present;
        free.add(index);
    }

    static long number(int key, int slot) {
        return (long) key << KEY_SHIFT | slot & 0xFFFF_FFFFL;
    }

    static int slot(long number) {
        return (int) number;
    }

    /** Returns the queue that has given a number, or {@code null} if it is gone. */
    WorkQueue find(long number) {
        int key = (int) (number >>> KEY_SHIFT);
        int index = key & INDEX_MASK;
        Entry[] present = entries;
        Entry entry = index < present.length ? present[index] : null;
        return entry != null && entry.key() == key ? entry.queue() : null;
    }
}
