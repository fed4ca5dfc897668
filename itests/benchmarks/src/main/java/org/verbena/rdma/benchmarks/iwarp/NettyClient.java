package org.verbena.rdma.benchmarks.iwarp;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Has messages of one size under way to an echo, for some time, from within its loop. State belongs to the loop. */
abstract class NettyClient extends ChannelInboundHandlerAdapter {
    private static final long SECONDS = 60;

    private final int size;
    private long bytes;
    private int underWay;
    private volatile long end;
    private volatile CountDownLatch idle;

    NettyClient(int size) {
        this.size = size;
    }

    /** Told of messages that have come back. */
    abstract void answered(int messages);

    /** Keeps messages under way for some time, and waits until the last one is back. */
    final void run(NettyEcho echo, int outstanding, long nanos) throws InterruptedException {
        idle = new CountDownLatch(1);
        end = System.nanoTime() + nanos;
        ChannelHandlerContext context = echo.client().pipeline().context(this);
        context.executor().execute(() -> {
            started();
            send(context, outstanding);
            context.flush();
        });
        if (!idle.await(SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("the echo does not answer");
        }
    }

    void started() {}

    private void send(ChannelHandlerContext context, int messages) {
        for (int i = 0; i < messages; i++) {
            context.write(context.alloc().directBuffer(size).writeZero(size), context.voidPromise());
        }
        underWay += messages;
    }

    @Override
    public final void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf buffer = (ByteBuf) message;
        bytes += buffer.readableBytes();
        buffer.release();
        int messages = (int) (bytes / size);
        bytes -= (long) messages * size;
        underWay -= messages;
        if (messages > 0) {
            answered(messages);
        }
        if (System.nanoTime() < end) {
            send(context, messages);
        } else if (underWay == 0) {
            idle.countDown();
        }
    }

    @Override
    public final void channelReadComplete(ChannelHandlerContext context) {
        context.flush();
    }
}
