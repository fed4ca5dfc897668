package org.verbena.rdma.provider.loopback.verbs;

import java.security.SecureRandom;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The memory regions of one device by their keys. Looking up takes no lock and allocates nothing.
 *
 * <p>{@code lock} is held by whoever adds or removes; readers see chains that are never changed, only replaced.
 */
final class RegionTable {
    private static final int FIRST_SIZE = 64;

    private final SecureRandom random = new SecureRandom();
    private final ReentrantLock lock = new ReentrantLock();
    private volatile AtomicReferenceArray<Entry> buckets = new AtomicReferenceArray<>(FIRST_SIZE);
    private int count;

    private record Entry(int key, LoopbackMemoryRegion region, Entry next) {}

    /** What makes a region once its key is known. */
    @FunctionalInterface
    interface Maker {
        LoopbackMemoryRegion make(int key);
    }

    /** Draws a key that a peer cannot guess and adds the region that has it. */
    LoopbackMemoryRegion add(Maker maker) {
        lock.lock();
        try {
            int key;
            do {
                key = random.nextInt();
            } while (key == 0 || find(key) != null);
            LoopbackMemoryRegion region = maker.make(key);
            if (count >= buckets.length()) {
                grow();
            }
            put(buckets, key, region);
            count++;
            return region;
        } finally {
            lock.unlock();
        }
    }

    /** Returns the region that has the key, or {@code null}. */
    LoopbackMemoryRegion find(int key) {
        AtomicReferenceArray<Entry> table = buckets;
        for (Entry entry = table.get(index(table, key)); entry != null; entry = entry.next()) {
            if (entry.key() == key) {
                return entry.region();
            }
        }
        return null;
    }

    void remove(int key) {
        lock.lock();
        try {
            int index = index(buckets, key);
            Entry kept = null;
            for (Entry entry = buckets.get(index); entry != null; entry = entry.next()) {
                if (entry.key() == key) {
                    count--;
                } else {
                    kept = new Entry(entry.key(), entry.region(), kept);
                }
            }
            buckets.set(index, kept);
        } finally {
            lock.unlock();
        }
    }

    private void grow() {
        AtomicReferenceArray<Entry> larger = new AtomicReferenceArray<>(buckets.length() * 2);
        for (int index = 0; index < buckets.length(); index++) {
            for (Entry entry = buckets.get(index); entry != null; entry = entry.next()) {
                put(larger, entry.key(), entry.region());
            }
        }
        buckets = larger;
    }

    private static void put(AtomicReferenceArray<Entry> table, int key, LoopbackMemoryRegion region) {
        int index = index(table, key);
        table.set(index, new Entry(key, region, table.get(index)));
    }

    private static int index(AtomicReferenceArray<Entry> table, int key) {
        return key & table.length() - 1;
    }
}
