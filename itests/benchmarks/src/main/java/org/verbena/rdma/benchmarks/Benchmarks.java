package org.verbena.rdma.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command: measures rows, each in a JVM of its own, and prints the table. */
@Command(
        name = "run",
        description = "Measures what Verbena costs, each figure beside a baseline of the same run.",
        sortOptions = false,
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Each row is measured in rounds, the baseline right before or after what is measured; the table has"
                    + " the medians of the rounds: of the figures, of their ratios and of their differences."
                    + " Figures of a busy machine mean little: nothing else should run.",
            "",
            "Exit status 1 if a row could not be measured. A goal that is missed is no failure."
        })
public final class Benchmarks implements Callable<Integer> {
    @Parameters(
            paramLabel = "PATTERN",
            arity = "0..*",
            description = "Only rows whose name contains one of these words; upper and lower case are the same.")
    private List<String> patterns = List.of();

    @Option(
            names = {"-l", "--list"},
            description = "Only list the rows and their goals.")
    private boolean list;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            description = "How many rounds count; ${DEFAULT-VALUE} if not given.",
            defaultValue = "7")
    private int rounds;

    @Option(names = "--smoke", description = "Only try whether the rows run; the figures mean nothing.")
    private boolean smoke;

    @Option(
            names = "--jfr",
            paramLabel = "FOLDER",
            description = "Record each row with Java Flight Recorder, into a file of this folder.")
    private Path recordings;

    @Option(
            names = "--tsv",
            paramLabel = "FILE",
            description = "Where to write the table; ${DEFAULT-VALUE} if not given.",
            defaultValue = "target/benchmarks.tsv")
    private Path file;

    @Option(names = "--row", hidden = true)
    private String only;

    private Benchmarks() {}

    /**
     * Runs the command.
     *
     * @param arguments see {@code --help}
     */
    public static void main(String[] arguments) {
        System.exit(new CommandLine(new Benchmarks())
                .setOverwrittenOptionsAllowed(true)
                .execute(arguments));
    }

    @Override
    public Integer call() throws Exception {
        if (only != null) {
            return measureHere();
        }
        List<Row> chosen = Rows.all().stream().filter(this::isChosen).toList();
        if (chosen.isEmpty()) {
            System.err.println("run: no row's name contains " + String.join(" or ", patterns) + "; try --list");
            return CommandLine.ExitCode.USAGE;
        }
        if (list) {
            chosen.forEach(row -> System.out.printf(
                    "%s  [%s, %s]  %s%n",
                    row.what(), row.unit(), row.baseline(), row.goal().text()));
            return CommandLine.ExitCode.OK;
        }
        return measure(chosen);
    }

    private boolean isChosen(Row row) {
        String name = row.what().toLowerCase(Locale.ROOT);
        return patterns.isEmpty()
                || patterns.stream().anyMatch(pattern -> name.contains(pattern.toLowerCase(Locale.ROOT)));
    }

    private Effort effort() {
        Effort full = Effort.FULL;
        return smoke ? Effort.SMOKE : new Effort(full.warmUps(), rounds, full.slice(), full.divisor());
    }

    private int measure(List<Row> chosen) throws InterruptedException, IOException {
        Table table = new Table();
        int failed = 0;
        for (int i = 0; i < chosen.size(); i++) {
            Row row = chosen.get(i);
            if (!row.missing().isEmpty()) {
                System.err.printf("%d/%d %s: skipped, %s%n", i + 1, chosen.size(), row.what(), row.missing());
                table.addFailed(row, "skipped");
                continue;
            }
            System.err.printf("%d/%d %s ", i + 1, chosen.size(), row.what());
            long start = System.nanoTime();
            try {
                table.add(row, RowProcess.run(row, recording(row), options(), () -> System.err.print('.')), !smoke);
                System.err.printf(" %.1f s%n", (System.nanoTime() - start) / 1e9);
            } catch (IOException broken) {
                failed++;
                System.err.println(broken.getMessage());
                table.addFailed(row, "failed");
            }
        }
        System.out.printf(
                "%n%s on %d processors, %s %s%s%n%n",
                System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"),
                Runtime.getRuntime().availableProcessors(),
                System.getProperty("os.name"),
                System.getProperty("os.arch"),
                smoke ? "; a smoke run, the figures mean nothing" : "");
        table.print(System.out);
        table.write(file);
        return failed == 0 ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }

    private List<String> options() {
        List<String> options = new ArrayList<>(List.of("--rounds", Integer.toString(rounds)));
        if (smoke) {
            options.add("--smoke");
        }
        return options;
    }

    private List<String> recording(Row row) throws IOException {
        if (recordings == null) {
            return List.of();
        }
        Files.createDirectories(recordings);
        return Recording.options(recordings.toAbsolutePath(), row.what());
    }

    private int measureHere() throws Exception {
        Row row = Rows.all().stream()
                .filter(known -> known.what().equals(only))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no row " + only));
        RowRun.run(
                row,
                effort(),
                (number, round) -> System.out.println(RowProcess.MARK + round.value() + "\t" + round.baseline()));
        return CommandLine.ExitCode.OK;
    }
}
