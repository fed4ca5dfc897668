package org.verbena.rdma.benchmarks;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The rows that were measured. */
final class Table {
    private static final List<String> COLUMNS =
            List.of("what", "value", "unit", "baseline", "baseline_value", "ratio", "goal", "met");
    private static final List<Integer> NUMBERS = List.of(1, 4, 5);

    private final List<List<String>> lines = new ArrayList<>();

    Table() {
        lines.add(COLUMNS);
    }

    void add(Row row, Result result, boolean meaningful) {
        lines.add(List.of(
                row.what(),
                figure(result.value()),
                row.unit(),
                row.baseline(),
                figure(result.baseline()),
                figure(result.ratio()),
                row.goal().text(),
                meaningful ? row.goal().met(result) : ""));
    }

    void addFailed(Row row, String why) {
        lines.add(List.of(
                row.what(), "", row.unit(), row.baseline(), "", "", row.goal().text(), why));
    }

    /** Three digits that count. */
    private static String figure(double figure) {
        if (Double.isNaN(figure)) {
            return "";
        }
        double size = Math.abs(figure);
        int decimals = size >= 100 || size == 0 ? 0 : size >= 10 ? 1 : size >= 0.1 ? 2 : 4;
        return String.format(Locale.ROOT, "%." + decimals + "f", figure);
    }

    void print(PrintStream out) {
        int[] widths = new int[COLUMNS.size()];
        for (List<String> line : lines) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], line.get(i).length());
            }
        }
        for (List<String> line : lines) {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < widths.length; i++) {
                String padding = " ".repeat(widths[i] - line.get(i).length());
                text.append(NUMBERS.contains(i) ? padding + line.get(i) : line.get(i) + padding)
                        .append("  ");
            }
            out.println(text.toString().stripTrailing());
        }
    }

    void write(Path file) throws IOException {
        Files.createDirectories(file.getParent());
        Files.write(file, lines.stream().map(line -> String.join("\t", line)).collect(Collectors.toList()));
    }
}
