package org.verbena.rdma.benchmarks;

import java.util.List;
import java.util.regex.Pattern;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs one method with JMH in a JVM of its own.
 *
 * @param benchmark the class of the method
 * @param threads how many threads run it
 * @param effort how much to do
 */
public record Jmh(Class<?> benchmark, int threads, Effort effort) {
    private static final int ITERATIONS = 4;

    /**
     * Measures how much of a processor's time an operation takes. With more threads than processors that is less than
     * what passes on the clock meanwhile.
     *
     * @param method a method that has JMH's mode of average time
     * @return its score per operation, in its unit
     * @throws RunnerException if JMH fails
     */
    public double time(String method) throws RunnerException {
        int processors = Runtime.getRuntime().availableProcessors();
        double share = (double) Math.min(threads, processors) / threads;
        return run(method, false).getPrimaryResult().getScore() * share;
    }

    /**
     * Measures how much an operation allocates.
     *
     * @param method a method that JMH runs
     * @return bytes per operation
     * @throws RunnerException if JMH fails
     */
    public double allocation(String method) throws RunnerException {
        return run(method, true).getSecondaryResults().get("gc.alloc.rate.norm").getScore();
    }

    private RunResult run(String method, boolean allocation) throws RunnerException {
        TimeValue time = TimeValue.milliseconds(Math.max(1, effort.slice().toMillis() / ITERATIONS));
        ChainedOptionsBuilder options = new OptionsBuilder()
                .include("^" + Pattern.quote(benchmark.getName() + "." + method) + "$")
                .threads(threads)
                .forks(effort.isSmoke() ? 0 : 1)
                .warmupIterations(effort.isSmoke() ? 0 : ITERATIONS)
                .warmupTime(time)
                .measurementIterations(effort.isSmoke() ? 1 : ITERATIONS)
                .measurementTime(time)
                .verbosity(VerboseMode.SILENT)
                .shouldFailOnError(true);
        List<String> recording = Recording.inherited(benchmark.getSimpleName() + " " + method);
        if (!recording.isEmpty()) {
            options.jvmArgs(recording.toArray(String[]::new));
        }
        if (allocation) {
            options.addProfiler(GCProfiler.class);
        }
        return new Runner(options.build()).runSingle();
    }
}
