package org.verbena.rdma.shell.table;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Rows of text under headings, as wide as they need to be. Columns that are empty throughout are left out. */
public final class Table {
    private static final String GAP = "  ";

    private final List<String> headings;
    private final List<List<String>> rows = new ArrayList<>();

    public Table(String... headings) {
        this.headings = List.of(headings);
    }

    /** Adds a row; each cell is shown as its text. */
    public void row(Object... cells) {
        if (cells.length != headings.size()) {
            throw new IllegalArgumentException("a row must have " + headings.size() + " cells, not " + cells.length);
        }
        rows.add(Arrays.stream(cells).map(String::valueOf).toList());
    }

    /**
     * Prints the table.
     *
     * @param whenEmpty what to print if it has no rows
     */
    public void print(PrintStream out, String whenEmpty) {
        if (rows.isEmpty()) {
            out.println(whenEmpty);
            return;
        }
        int[] shown = IntStream.range(0, headings.size()).filter(this::hasText).toArray();
        int[] widths = Arrays.stream(shown).map(this::width).toArray();
        out.println(line(headings, shown, widths));
        rows.forEach(row -> out.println(line(row, shown, widths)));
    }

    private boolean hasText(int column) {
        return rows.stream().anyMatch(row -> !row.get(column).isEmpty());
    }

    private int width(int column) {
        return rows.stream()
                .mapToInt(row -> row.get(column).length())
                .reduce(headings.get(column).length(), Math::max);
    }

    private static String line(List<String> cells, int[] shown, int[] widths) {
        return IntStream.range(0, shown.length)
                .mapToObj(i -> padded(cells.get(shown[i]), widths[i]))
                .collect(Collectors.joining(GAP))
                .stripTrailing();
    }

    private static String padded(String text, int width) {
        return text + " ".repeat(width - text.length());
    }
}
