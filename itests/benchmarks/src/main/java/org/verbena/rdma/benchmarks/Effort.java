package org.verbena.rdma.benchmarks;

import java.time.Duration;

/**
 * How much to do for a row.
 *
 * @param warmUps how many rounds are thrown away first
 * @param rounds how many rounds count
 * @param slice how long one measurement of a round takes, about
 * @param divisor what large numbers are divided by
 */
public record Effort(int warmUps, int rounds, Duration slice, int divisor) {
    /** For figures that mean something. */
    public static final Effort FULL = new Effort(1, 7, Duration.ofMillis(800), 1);

    /** Only to see that a row runs. */
    public static final Effort SMOKE = new Effort(0, 1, Duration.ofMillis(10), 500);

    /**
     * Tells whether the figures mean nothing.
     *
     * @return {@code true} for a run that only shows that it runs
     */
    public boolean isSmoke() {
        return divisor > 1;
    }

    /**
     * Makes a number smaller where the figures do not matter.
     *
     * @param full the number for a full run
     * @return the number for this one, at least 1
     */
    public int of(int full) {
        return Math.max(1, full / divisor);
    }
}
