package org.verbena.rdma.console.view;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The columns of a table, and how rows are found in it.
 *
 * @param <T> what there is a row of
 */
final class Columns<T> {
    private final Map<String, Function<T, ?>> values = new LinkedHashMap<>();

    /** Adds a column; its values are numbers, texts or lists of texts, of one kind in all rows. */
    Columns<T> with(String name, Function<T, ?> value) {
        values.put(name, value);
        return this;
    }

    /** Finds the rows that are asked for; a column to sort by that there is not leaves them in their order. */
    Page find(List<T> all, Query query) {
        Stream<T> found = all.stream();
        if (!query.filter().isEmpty()) {
            found = found.filter(one -> isIn(one, query.filter()));
        }
        Function<T, ?> sort = values.get(query.sort());
        if (sort != null) {
            Comparator<T> order = (left, right) -> compare(sort.apply(left), sort.apply(right));
            found = found.sorted(query.descending() ? order.reversed() : order);
        }
        List<T> matched = found.toList();
        List<Map<String, Object>> rows = matched.stream()
                .skip(query.offset())
                .limit(query.limit())
                .map(this::row)
                .toList();
        return new Page(query.table(), all.size(), matched.size(), query.offset(), rows);
    }

    private Map<String, Object> row(T one) {
        Map<String, Object> row = new LinkedHashMap<>();
        values.forEach((name, value) -> row.put(name, value.apply(one)));
        return row;
    }

    private boolean isIn(T one, String text) {
        return values.values().stream()
                .anyMatch(value ->
                        value.apply(one).toString().toLowerCase(Locale.ROOT).contains(text));
    }

    private static int compare(Object left, Object right) {
        if (left instanceof Number) {
            return Long.compare(((Number) left).longValue(), ((Number) right).longValue());
        }
        return left.toString().compareTo(right.toString());
    }
}
