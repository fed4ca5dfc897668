package org.verbena.rdma.provider.iwarp.wire;

/**
 * The marker that a receiver may ask for: four octets at every 512th octet of the stream, counted from the first one after
 * the set-up, which is a marker itself (RFC 5044, section 4.3, figure 4).
 */
public final class Marker {
    /** From the start of one marker to the start of the next. */
    public static final int INTERVAL = 512;

    /** How long a marker is: two reserved octets, then FPDUPTR. */
    public static final int BYTES = 4;

    private Marker() {}

    /** Whether a marker stands at an offset of the stream. */
    public static boolean isAt(long streamOffset) {
        return streamOffset % INTERVAL == 0;
    }

    /** How many bytes there are from an offset of the stream to the next marker, which is not there itself. */
    public static int bytesUntilNext(long streamOffset) {
        return INTERVAL - (int) (streamOffset % INTERVAL);
    }

    /**
     * The four octets: how far behind the start of its frame, its length field, the marker stands. A marker in front of a
     * frame points to what follows it, with zero.
     */
    public static int value(int bytesFromLengthField) {
        return bytesFromLengthField & 0xFFFF;
    }
}
