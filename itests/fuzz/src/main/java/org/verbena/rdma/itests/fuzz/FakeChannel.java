package org.verbena.rdma.itests.fuzz;

import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.Set;

/** A connected socket in memory: what comes in is the fuzzer's, what goes out is kept. Used on one thread. */
final class FakeChannel extends SocketChannel {
    private static final InetSocketAddress ADDRESS = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private byte[] in = new byte[0];
    private int position;
    private boolean inEnded;
    private boolean outEnded;
    private int writable = Integer.MAX_VALUE;

    FakeChannel() {
        super(SelectorProvider.provider());
    }

    /** The peer has sent this; what was there before has been read. */
    void feed(byte[] bytes, int from, int count) {
        byte[] rest = new byte[in.length - position + count];
        System.arraycopy(in, position, rest, 0, in.length - position);
        System.arraycopy(bytes, from, rest, in.length - position, count);
        in = rest;
        position = 0;
    }

    /** The peer sends nothing any more. */
    void end() {
        inEnded = true;
    }

    /** How many bytes the peer takes from now on. */
    void takes(int bytes) {
        writable = bytes;
    }

    boolean hasInput() {
        return position < in.length;
    }

    boolean isOutputShut() {
        return outEnded;
    }

    byte[] written() {
        return out.toByteArray();
    }

    @Override
    public int read(ByteBuffer into) {
        int count = Math.min(into.remaining(), in.length - position);
        if (count == 0) {
            return inEnded && into.hasRemaining() ? -1 : 0;
        }
        into.put(in, position, count);
        position += count;
        return count;
    }

    @Override
    public long read(ByteBuffer[] into, int offset, int length) {
        long total = 0;
        for (int i = offset; i < offset + length; i++) {
            int count = into[i].hasRemaining() ? read(into[i]) : 0;
            if (count < 0) {
                return total == 0 ? -1 : total;
            }
            total += count;
        }
        return total;
    }

    @Override
    public int write(ByteBuffer from) {
        int count = Math.min(from.remaining(), writable);
        byte[] bytes = new byte[count];
        from.get(bytes);
        out.writeBytes(bytes);
        writable -= count;
        return count;
    }

    @Override
    public long write(ByteBuffer[] from, int offset, int length) {
        long total = 0;
        for (int i = offset; i < offset + length; i++) {
            total += write(from[i]);
        }
        return total;
    }

    @Override
    public SocketChannel shutdownInput() {
        return this;
    }

    @Override
    public SocketChannel shutdownOutput() {
        outEnded = true;
        return this;
    }

    @Override
    public SocketChannel bind(SocketAddress local) {
        return this;
    }

    @Override
    public <T> SocketChannel setOption(SocketOption<T> name, T value) {
        return this;
    }

    @Override
    public <T> T getOption(SocketOption<T> name) {
        return null;
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return Set.of();
    }

    @Override
    public Socket socket() {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean isConnected() {
        return true;
    }

    @Override
    public boolean isConnectionPending() {
        return false;
    }

    @Override
    public boolean connect(SocketAddress remote) {
        return true;
    }

    @Override
    public boolean finishConnect() {
        return true;
    }

    @Override
    public SocketAddress getRemoteAddress() {
        return ADDRESS;
    }

    @Override
    public SocketAddress getLocalAddress() {
        return ADDRESS;
    }

    @Override
    protected void implCloseSelectableChannel() {
        // Nothing is held.
    }

    @Override
    protected void implConfigureBlocking(boolean block) {
        // It never blocks.
    }
}
