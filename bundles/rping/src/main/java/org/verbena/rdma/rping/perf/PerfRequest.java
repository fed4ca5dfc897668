package org.verbena.rdma.rping.perf;

import java.nio.ByteBuffer;

/**
 * What a client asks of a server, in the private data of its request.
 *
 * @param measure what is measured
 * @param size how long messages are, in bytes
 */
record PerfRequest(Measure measure, int size) {
    /** What can be measured. */
    enum Measure {
        /** Messages go back and forth. */
        LATENCY,
        /** One side writes into the other's memory. */
        BANDWIDTH
    }

    static final int MAX_SIZE = 1 << 26;

    /** "PRF" and the version of this format. */
    private static final int MAGIC = 0x50524601;

    private static final int LENGTH = 12;

    /** Makes private data of it. */
    ByteBuffer encode() {
        return ByteBuffer.allocate(LENGTH)
                .putInt(MAGIC)
                .putInt(measure.ordinal())
                .putInt(size)
                .flip();
    }

    /** Reads private data; null if it is no such request. */
    static PerfRequest decode(ByteBuffer data) {
        if (data == null || data.remaining() < LENGTH || data.getInt(data.position()) != MAGIC) {
            return null;
        }
        int measure = data.getInt(data.position() + 4);
        int size = data.getInt(data.position() + 8);
        if (measure < 0 || measure >= Measure.values().length || size < 1 || size > MAX_SIZE) {
            return null;
        }
        return new PerfRequest(Measure.values()[measure], size);
    }
}
