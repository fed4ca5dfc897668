package org.verbena.rdma.benchmarks.iwarp;

import java.io.IOException;
import org.verbena.rdma.benchmarks.Effort;

/** One way to do something, to be compared with another. While it does not measure it takes no processor's time. */
interface Contender extends AutoCloseable {
    /** A few words for the table. */
    String name();

    /** Why it cannot be measured here, in one line; empty if it can. */
    default String missing() {
        return "";
    }

    default void prepare(Effort effort) throws Exception {}

    /** Measures for about a slice of the effort, and returns the figure. */
    double measure() throws Exception;

    @Override
    default void close() throws IOException {}
}
