package org.verbena.rdma.benchmarks;

import java.util.Locale;

/**
 * What a row is to reach.
 *
 * @param text for the table
 * @param test tells whether figures reach it
 */
public record Goal(String text, Test test) {
    /** No goal: the figure is there to be seen. */
    public static final Goal NONE = new Goal("", null);

    /** Tells whether figures reach a goal. */
    @FunctionalInterface
    public interface Test {
        /**
         * Decides.
         *
         * @param result the figures
         * @return whether they reach it
         */
        boolean test(Result result);
    }

    /**
     * The figure is a cost.
     *
     * @param most what it may be of the baseline
     * @return a goal
     */
    public static Goal ratioAtMost(double most) {
        return new Goal("at most " + number(most) + "x", result -> result.ratio() <= most);
    }

    /**
     * The figure is a gain.
     *
     * @param least what it must be of the baseline
     * @return a goal
     */
    public static Goal ratioAtLeast(double least) {
        return new Goal("at least " + number(least) + "x", result -> result.ratio() >= least);
    }

    /**
     * The figure is a cost that comes on top of the baseline.
     *
     * @param most what it may be more, in the unit of the row
     * @param unit the unit
     * @return a goal
     */
    public static Goal moreByAtMost(double most, String unit) {
        return new Goal("at most +" + number(most) + " " + unit, result -> result.difference() <= most);
    }

    /**
     * The figure is an amount.
     *
     * @param most what it may be, in the unit of the row
     * @param unit the unit
     * @return a goal
     */
    public static Goal atMost(double most, String unit) {
        return new Goal("at most " + number(most) + " " + unit, result -> result.value() <= most);
    }

    /**
     * Says whether it is met.
     *
     * @param result the figures
     * @return yes, no, or nothing if there is no goal
     */
    public String met(Result result) {
        if (test == null) {
            return "";
        }
        return test.test(result) ? "yes" : "no";
    }

    private static String number(double number) {
        return number == Math.rint(number)
                ? String.format(Locale.ROOT, "%.0f", number)
                : String.format(Locale.ROOT, "%s", number);
    }
}
