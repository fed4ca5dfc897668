package org.verbena.rdma.benchmarks.core;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** One thread that takes tasks from a queue: what an event would be handed to without core. */
final class PlainExecutor extends ThreadPoolExecutor {
    PlainExecutor() {
        super(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), work -> {
            Thread thread = new Thread(work, "plain-executor");
            thread.setDaemon(true);
            return thread;
        });
        prestartAllCoreThreads();
    }
}
