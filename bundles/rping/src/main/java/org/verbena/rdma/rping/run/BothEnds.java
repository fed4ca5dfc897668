package org.verbena.rdma.rping.run;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.IntFunction;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.rping.wire.PingFailedException;

/** A server, and a client that starts when the server listens. The thread that runs it runs the client. */
public final class BothEnds implements Run {
    private final Serving server;
    private final IntFunction<? extends Run> clientOfPort;

    private volatile Run client;
    private volatile boolean stopped;

    /**
     * Makes both ends.
     *
     * @param server the server, which does not run yet
     * @param clientOfPort makes the client of the port that the server has
     */
    public BothEnds(Serving server, IntFunction<? extends Run> clientOfPort) {
        this.server = server;
        this.clientOfPort = clientOfPort;
    }

    @Override
    public int run() throws PingFailedException, RdmaException, InterruptedException {
        CompletableFuture<Integer> served = new CompletableFuture<>();
        new Thread(() -> serve(served), "rping server").start();
        boolean done = false;
        try {
            CompletableFuture.anyOf(server.listening(), served)
                    .exceptionally(failure -> null)
                    .join();
            done = server.listening().isDone() && runClient(server.listening().join()) == 0;
        } finally {
            if (done) {
                server.clientLeft();
            } else {
                server.stop();
            }
        }
        return end(served);
    }

    @Override
    public void stop() {
        stopped = true;
        Run running = client;
        if (running != null) {
            running.stop();
        }
        server.stop();
    }

    private int runClient(int port) throws PingFailedException, RdmaException, InterruptedException {
        client = clientOfPort.apply(port);
        if (stopped) {
            client.stop();
        }
        return client.run();
    }

    private void serve(CompletableFuture<Integer> served) {
        try {
            served.complete(server.run());
        } catch (Exception | Error e) {
            served.completeExceptionally(e);
        }
    }

    private static int end(CompletableFuture<Integer> served)
            throws InterruptedException, PingFailedException, RdmaException {
        try {
            return served.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof PingFailedException failed) {
                throw failed;
            }
            if (e.getCause() instanceof RdmaException failed) {
                throw failed;
            }
            throw new IllegalStateException(e.getCause());
        }
    }
}
