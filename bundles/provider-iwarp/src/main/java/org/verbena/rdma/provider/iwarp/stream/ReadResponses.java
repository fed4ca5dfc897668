package org.verbena.rdma.provider.iwarp.stream;

import org.verbena.rdma.provider.iwarp.memory.RegisteredMemory;

/**
 * The reads and atomics of the peer that are to be answered, oldest first; at most as many as were agreed. The atomics
 * are done already. Loop only.
 */
final class ReadResponses {
    private final int limit;
    private final int[] sinkStags;
    private final long[] sinkOffsets;
    private final RegisteredMemory[] sources;
    private final int[] sourceOffsets;
    private final int[] sizes;
    private final boolean[] atomics;
    private int first;
    private int count;

    ReadResponses(int ird) {
        // A read of zero bytes may be the ready-to-receive message although no reads were agreed.
        limit = Math.max(1, ird);
        sinkStags = new int[limit];
        sinkOffsets = new long[limit];
        sources = new RegisteredMemory[limit];
        sourceOffsets = new int[limit];
        sizes = new int[limit];
        atomics = new boolean[limit];
    }

    boolean isFull() {
        return count == limit;
    }

    boolean isEmpty() {
        return count == 0;
    }

    void add(int sinkStag, long sinkOffset, RegisteredMemory source, int sourceOffset, int size) {
        int at = (first + count++) % limit;
        sinkStags[at] = sinkStag;
        sinkOffsets[at] = sinkOffset;
        sources[at] = source;
        sourceOffsets[at] = sourceOffset;
        sizes[at] = size;
        atomics[at] = false;
    }

    void addAtomic(int requestIdentifier, long originalValue) {
        add(requestIdentifier, originalValue, null, 0, 0);
        atomics[(first + count - 1) % limit] = true;
    }

    /** Whether the oldest is an atomic: its sink is its request identifier and the value to answer then. */
    boolean isAtomic() {
        return atomics[first];
    }

    int sinkStag() {
        return sinkStags[first];
    }

    long sinkOffset() {
        return sinkOffsets[first];
    }

    RegisteredMemory source() {
        return sources[first];
    }

    int sourceOffset() {
        return sourceOffsets[first];
    }

    int size() {
        return sizes[first];
    }

    void remove() {
        sources[first] = null;
        first = (first + 1) % limit;
        count--;
    }
}
