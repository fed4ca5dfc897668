package org.verbena.rdma.benchmarks;

import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The figures of a row: what its rounds have measured.
 *
 * @param rounds at least one
 */
public record Result(List<Round> rounds) {
    /**
     * A measurement and its baseline, one right after the other.
     *
     * @param value what was measured
     * @param baseline the baseline, NaN if there is none
     */
    public record Round(double value, double baseline) {}

    /** Copies the rounds. */
    public Result {
        rounds = List.copyOf(rounds);
        if (rounds.isEmpty()) {
            throw new IllegalArgumentException("at least one round is needed");
        }
    }

    /**
     * Returns the figure.
     *
     * @return the median of the rounds
     */
    public double value() {
        return median(Round::value);
    }

    /**
     * Returns the figure of the baseline.
     *
     * @return the median of the rounds
     */
    public double baseline() {
        return median(Round::baseline);
    }

    /**
     * Returns the figure as a multiple of the baseline.
     *
     * @return the median of the rounds' ratios, which a machine that slows down for some rounds does not move
     */
    public double ratio() {
        return median(round -> round.value() / round.baseline());
    }

    /**
     * Returns by how much the figure is more than the baseline.
     *
     * @return the median of the rounds' differences
     */
    public double difference() {
        return median(round -> round.value() - round.baseline());
    }

    private double median(ToDoubleFunction<Round> figure) {
        double[] sorted = rounds.stream().mapToDouble(figure).sorted().toArray();
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1
                ? sorted[middle]
                : Arrays.stream(sorted, middle - 1, middle + 1).average().orElseThrow();
    }
}
