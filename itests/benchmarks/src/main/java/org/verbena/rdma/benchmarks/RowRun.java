package org.verbena.rdma.benchmarks;

import java.util.function.BiConsumer;

/** Measures one row in this JVM. */
final class RowRun {
    private RowRun() {}

    /**
     * Measures.
     *
     * @param row the row
     * @param effort how much
     * @param each told the number of each round that counts, and what it has measured
     * @throws Exception if the row cannot be measured
     */
    static void run(Row row, Effort effort, BiConsumer<Integer, Result.Round> each) throws Exception {
        row.prepare(effort);
        try (row) {
            for (int round = -effort.warmUps(); round < effort.rounds(); round++) {
                Result.Round measured = round(row, round);
                if (round >= 0) {
                    each.accept(round, measured);
                }
            }
        }
    }

    /** Which of the two comes first changes, so that a machine that slows down or speeds up favours neither. */
    private static Result.Round round(Row row, int number) throws Exception {
        if (number % 2 == 0) {
            double value = row.measure();
            return new Result.Round(value, row.measureBaseline());
        }
        double baseline = row.measureBaseline();
        return new Result.Round(row.measure(), baseline);
    }
}
