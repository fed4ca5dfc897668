package org.verbena.rdma.provider.iwarp.stream;

/**
 * The reads and atomics that this side has asked for and that are not answered yet, oldest first: they share a queue and
 * are answered in their order (RFC 7306, section 5.2). Loop only.
 */
final class OutstandingReads {
    /** Stands for a read that no work request is behind: the ready-to-receive message. */
    static final long NO_REQUEST = -1;

    /** Stands for the read by which the peer is asked what it takes; see {@link PeerExtensions}. */
    static final long QUESTION = -2;

    private static final long ATOMIC = -1;

    private final int capacity;
    private final long[] positions;
    private final int[] sinkStags;
    private final long[] sizes;
    private int first;
    private int count;

    OutstandingReads(int ord) {
        capacity = ord + 1;
        positions = new long[capacity];
        sinkStags = new int[capacity];
        sizes = new long[capacity];
    }

    int count() {
        return count;
    }

    void add(long position, int sinkStag, long size) {
        int at = (first + count++) % capacity;
        positions[at] = position;
        sinkStags[at] = sinkStag;
        sizes[at] = size;
    }

    void addAtomic(long position, int requestIdentifier) {
        add(position, requestIdentifier, ATOMIC);
    }

    /** Whether the oldest is an atomic; its sink STag is its request identifier then. */
    boolean isAtomic() {
        return sizes[first] == ATOMIC;
    }

    long position() {
        return positions[first];
    }

    /** The position of one of the reads, 0 for the oldest. */
    long position(int index) {
        return positions[(first + index) % capacity];
    }

    int sinkStag() {
        return sinkStags[first];
    }

    long size() {
        return sizes[first];
    }

    void remove() {
        first = (first + 1) % capacity;
        count--;
    }
}
