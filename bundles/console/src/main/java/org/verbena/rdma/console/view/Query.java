package org.verbena.rdma.console.view;

import java.util.Locale;

/**
 * Which rows of which table somebody looks at.
 *
 * @param table the table
 * @param filter only rows in which this text is found, whatever the case; empty for all
 * @param sort the column to sort by
 * @param descending whether the greatest come first
 * @param offset how many rows to leave out before the first
 * @param limit how many rows at most
 */
public record Query(Table table, String filter, String sort, boolean descending, int offset, int limit) {
    /** More rows than a page ever shows. */
    public static final int MOST_ROWS = 200;

    /** What there are tables of. */
    public enum Table {
        /** Ids that are connected or were. */
        CONNECTIONS,
        /** Ids that listen. */
        LISTENERS,
        /** All other ids. */
        IDS,
        /** Bundles that have sessions. */
        CONSUMERS
    }

    /**
     * Checks the numbers.
     *
     * @throws IllegalArgumentException if one is out of range
     */
    public Query {
        if (offset < 0) {
            throw new IllegalArgumentException("the offset " + offset + " is negative");
        }
        if (limit < 0 || limit > MOST_ROWS) {
            throw new IllegalArgumentException("the limit " + limit + " is not in 0 to " + MOST_ROWS);
        }
        filter = filter.strip().toLowerCase(Locale.ROOT);
    }
}
