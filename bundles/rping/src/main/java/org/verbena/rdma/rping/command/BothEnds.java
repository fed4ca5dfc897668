package org.verbena.rdma.rping.command;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.IntFunction;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.rping.client.Client;
import org.verbena.rdma.rping.run.Run;
import org.verbena.rdma.rping.server.Server;
import org.verbena.rdma.rping.wire.PingFailedException;

/** A server, and a client that starts when the server listens. The thread that runs it runs the client. */
final class BothEnds implements Run {
    private final Server server;
    private final IntFunction<Client> clientOfPort;

    private volatile Client client;
    private volatile boolean stopped;

    BothEnds(Server server, IntFunction<Client> clientOfPort) {
        this.server = server;
        this.clientOfPort = clientOfPort;
    }

    @Override
    public int run() throws PingFailedException, RdmaException, InterruptedException {
        CompletableFuture<Integer> served = new CompletableFuture<>();
        new Thread(() -> serve(served), "rping server").start();
        boolean pinged = false;
        try {
            CompletableFuture.anyOf(server.listening(), served)
                    .exceptionally(failure -> null)
                    .join();
            pinged = server.listening().isDone() && ping(server.listening().join()) == 0;
        } finally {
            if (!pinged) {
                server.stop();
            }
        }
        return end(served);
    }

    @Override
    public void stop() {
        stopped = true;
        Client running = client;
        if (running != null) {
            running.stop();
        }
        server.stop();
    }

    private int ping(int port) throws PingFailedException, RdmaException, InterruptedException {
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
