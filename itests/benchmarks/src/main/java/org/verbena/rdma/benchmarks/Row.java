package org.verbena.rdma.benchmarks;

import java.io.IOException;
import java.util.List;

/**
 * One line of the table: something that is measured, and something that it is compared with. One class per line, or per
 * family of lines, is added to {@link Rows}.
 *
 * <p>A row is used in a JVM of its own, by one thread: {@link #prepare}, then {@link #measure} and
 * {@link #measureBaseline} by turns, in changing order, then {@link #close}. Each of the two takes about one
 * {@linkplain Effort#slice() slice} and returns the figure of that slice; the table shows medians.
 */
public interface Row extends AutoCloseable {
    /**
     * Returns what is measured; the name of the row.
     *
     * @return a few words, in no other row
     */
    String what();

    /**
     * Returns the unit of both figures.
     *
     * @return for example {@code ns} or {@code MiB/s}
     */
    String unit();

    /**
     * Returns what it is compared with.
     *
     * @return a few words, empty if there is nothing
     */
    String baseline();

    /**
     * Returns what is to be reached.
     *
     * @return a goal
     */
    Goal goal();

    /**
     * Returns what the JVM of this row is started with.
     *
     * @return options of {@code java}
     */
    default List<String> jvmOptions() {
        return List.of();
    }

    /**
     * Tells why the row cannot be measured here, because of a program that is missing for example.
     *
     * @return one line, empty if it can
     */
    default String missing() {
        return "";
    }

    /**
     * Gets ready.
     *
     * @param effort how much to do
     * @throws Exception if that is not possible
     */
    default void prepare(Effort effort) throws Exception {}

    /**
     * Measures once.
     *
     * @return the figure, in {@link #unit()}
     * @throws Exception if it cannot be measured
     */
    double measure() throws Exception;

    /**
     * Measures the baseline once.
     *
     * @return the figure, in {@link #unit()}; NaN if there is none
     * @throws Exception if it cannot be measured
     */
    double measureBaseline() throws Exception;

    @Override
    default void close() throws IOException {}
}
