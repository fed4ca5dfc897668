package org.verbena.rdma.rping.wire;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.nio.ByteBuffer;

/**
 * The data of a ping: {@code rdma-ping-N: }, then characters in a circle from A to z that start one further with each
 * ping, then a zero byte.
 */
public final class PingData {
    /** The least size: the text with the greatest number in it, as the C program counts it. */
    public static final int MIN_SIZE = 23;
    /** The greatest size, one less than the buffers of the C program. */
    public static final int MAX_SIZE = 64 * 1024 - 1;
    /** The size when none is given. */
    public static final int DEFAULT_SIZE = 64;

    private static final int FIRST = 'A';
    private static final int LETTERS = 'z' - 'A' + 1;

    private PingData() {}

    /**
     * Fills a buffer from its start to its capacity.
     *
     * @param ping the number of the ping, from 0
     */
    public static void fill(ByteBuffer buffer, int ping) {
        byte[] text = ("rdma-ping-" + ping + ": ").getBytes(US_ASCII);
        int size = buffer.capacity();
        int start = Math.floorMod(ping, LETTERS);
        for (int i = 0; i < size - 1; i++) {
            buffer.put(i, i < text.length ? text[i] : (byte) (FIRST + (start + i - text.length) % LETTERS));
        }
        buffer.put(size - 1, (byte) 0);
    }

    /** The text in the first bytes of a buffer, up to the first zero byte. */
    public static String text(ByteBuffer buffer, int size) {
        byte[] bytes = new byte[size];
        buffer.get(0, bytes);
        int end = 0;
        while (end < size && bytes[end] != 0) {
            end++;
        }
        return new String(bytes, 0, end, US_ASCII);
    }
}
