package org.verbena.rdma.provider.iwarp.stream;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.verbena.rdma.provider.iwarp.loop.EventLoop;
import org.verbena.rdma.provider.iwarp.loop.ReadyHandler;
import org.verbena.rdma.provider.iwarp.loop.Timer;

/**
 * A socket whose connection is over but for a last word, a Terminate or a rejection. It says that, then that it says no
 * more, and throws away what still comes until the peer closes or a time is over: a socket closed with bytes unread
 * resets the connection, and the peer might never see the last word. Loop only.
 */
public final class LingeringSocket implements ReadyHandler {
    private static final Logger LOG = LoggerFactory.getLogger(LingeringSocket.class);
    private static final int SCRATCH_BYTES = 8 * 1024;
    private static final int MAX_READS = 8;

    private final SocketChannel channel;
    private final SelectionKey key;
    private final ByteBuffer lastWord;
    private final Timer timer;
    private boolean saidAll;

    private LingeringSocket(
            EventLoop loop, SocketChannel channel, SelectionKey key, ByteBuffer lastWord, Duration time) {
        this.channel = channel;
        this.key = key;
        this.lastWord = lastWord;
        this.timer = loop.after(time.toNanos(), this::close);
    }

    /**
     * Takes a socket over, and closes it in time.
     *
     * @param key the socket's key on the loop, or {@code null} if it has none
     * @param lastWord what to write before, may be empty
     */
    public static void linger(
            EventLoop loop, SocketChannel channel, SelectionKey key, ByteBuffer lastWord, Duration time) {
        try {
            if (!channel.isConnected()) {
                channel.close();
                return;
            }
            SelectionKey own = key != null ? key : loop.register(channel, 0, operations -> {});
            LingeringSocket lingering = new LingeringSocket(loop, channel, own, lastWord, time);
            own.attach(lingering);
            lingering.ready(0);
        } catch (IOException | RuntimeException e) {
            LOG.debug("A socket cannot be closed in good order", e);
            closeQuietly(channel);
        }
    }

    @Override
    public void ready(int operations) {
        try {
            if (!saidAll && channel.write(lastWord) >= 0 && !lastWord.hasRemaining()) {
                saidAll = true;
                channel.shutdownOutput();
            }
            key.interestOps(saidAll ? SelectionKey.OP_READ : SelectionKey.OP_READ | SelectionKey.OP_WRITE);
            if ((operations & SelectionKey.OP_READ) != 0) {
                discard();
            }
        } catch (IOException | RuntimeException e) {
            LOG.debug("The peer did not hear the last word", e);
            close();
        }
    }

    private void discard() throws IOException {
        ByteBuffer scratch = ByteBuffer.allocate(SCRATCH_BYTES);
        for (int i = 0; i < MAX_READS; i++) {
            int count = channel.read(scratch.clear());
            if (count < 0) {
                close();
                return;
            }
            if (count == 0) {
                return;
            }
        }
    }

    private void close() {
        timer.cancel();
        closeQuietly(channel);
    }

    /** Closes a socket; an error means that it is closed already. */
    public static void closeQuietly(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            LOG.debug("Closing a socket", e);
        }
    }
}
