package org.verbena.rdma.benchmarks.core;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.verbena.rdma.RdmaException;

/** A write of one segment posted, and one completion polled: through core, and at the provider directly. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class GuardBenchmark {
    /** Posts through core. */
    @Benchmark
    public void post(GuardState.Connection connection) throws RdmaException {
        connection.queuePair.postSend(connection.request);
    }

    /** Posts at the provider. */
    @Benchmark
    public void postDirectly(GuardState.Connection connection) throws RdmaException {
        connection.stubQueuePair.postSend(connection.stubRequest);
    }

    /** Polls through core. */
    @Benchmark
    public int poll(GuardState.Connection connection) throws RdmaException {
        return connection.completionQueue.poll(connection.completions);
    }

    /** Polls at the provider. */
    @Benchmark
    public int pollDirectly(GuardState.Connection connection) throws RdmaException {
        return connection.stubCompletionQueue.poll(connection.stubCompletions, 16);
    }
}
