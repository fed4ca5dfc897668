package org.verbena.rdma.benchmarks.iwarp;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** The other end of what is measured, in a thread that lives for one measurement. */
final class Server {
    private final FutureTask<Void> task;
    private volatile boolean stopped;

    /** What a server does until it is told to stop. */
    interface Loop {
        void run(Server server) throws Exception;
    }

    private Server(Loop loop) {
        task = new FutureTask<>(() -> {
            loop.run(this);
            return null;
        });
    }

    static Server start(Loop loop) {
        Server server = new Server(loop);
        Thread thread = new Thread(server.task, "server");
        thread.setDaemon(true);
        thread.start();
        return server;
    }

    boolean goesOn() {
        return !stopped;
    }

    /** Tells the server to stop, and waits until it has; fails if it has failed. */
    void stop() throws InterruptedException, ExecutionException {
        stopped = true;
        task.get();
    }

    /** Fails if the server has failed, so that a client need not wait for it without end. */
    void check() throws InterruptedException, ExecutionException {
        if (task.isDone()) {
            task.get();
        }
    }
}
