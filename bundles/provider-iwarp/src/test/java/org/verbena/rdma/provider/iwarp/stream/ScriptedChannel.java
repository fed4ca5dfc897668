package org.verbena.rdma.provider.iwarp.stream;

import java.nio.ByteBuffer;
import java.nio.channels.ScatteringByteChannel;

/** A channel that has the bytes of a test, and gives them out in the pieces that the test wants. */
final class ScriptedChannel implements ScatteringByteChannel {
    private final byte[] bytes;
    private int available;
    private int position;
    private boolean ended;

    ScriptedChannel(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Lets some more bytes be read. */
    void make(int count) {
        available = Math.min(bytes.length, available + count);
    }

    /** After the bytes that are there comes the end of the stream. */
    void end() {
        ended = true;
    }

    boolean isExhausted() {
        return position == bytes.length;
    }

    @Override
    public int read(ByteBuffer into) {
        int count = Math.min(into.remaining(), available - position);
        if (count == 0) {
            return ended && into.hasRemaining() ? -1 : 0;
        }
        into.put(bytes, position, count);
        position += count;
        return count;
    }

    @Override
    public long read(ByteBuffer[] into, int offset, int length) {
        long total = 0;
        for (int i = offset; i < offset + length; i++) {
            if (!into[i].hasRemaining()) {
                continue;
            }
            int count = read(into[i]);
            if (count <= 0) {
                return total == 0 ? count : total;
            }
            total += count;
        }
        return total;
    }

    @Override
    public long read(ByteBuffer[] into) {
        return read(into, 0, into.length);
    }

    @Override
    public boolean isOpen() {
        return true;
    }

    @Override
    public void close() {
        throw new AssertionError("the receiving half does not close the channel");
    }
}
