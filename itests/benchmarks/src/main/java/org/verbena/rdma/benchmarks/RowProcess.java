package org.verbena.rdma.benchmarks;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A JVM of its own for one row, so that none profits or suffers from what ran before it. */
final class RowProcess {
    /** What the lines on standard output begin with that tell of a round. */
    static final String MARK = "round\t";

    private static final long LONGEST_MINUTES = 10;

    private RowProcess() {}

    /**
     * Measures a row.
     *
     * @param row the row
     * @param jvmOptions options of {@code java} beside the row's own
     * @param options of this program, for the other
     * @param progress told after each round
     * @return its figures
     * @throws IOException if the other JVM failed
     * @throws InterruptedException if this thread is interrupted
     */
    static Result run(Row row, List<String> jvmOptions, List<String> options, Runnable progress)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(System.getProperty("java.home") + File.separator + "bin" + File.separator + "java");
        command.addAll(row.jvmOptions());
        command.addAll(jvmOptions);
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(Benchmarks.class.getName());
        command.addAll(options);
        command.add("--row");
        command.add(row.what());
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        Thread stop = new Thread(process::destroyForcibly);
        Runtime.getRuntime().addShutdownHook(stop);
        try {
            List<Result.Round> rounds = read(process, progress);
            if (!process.waitFor(LONGEST_MINUTES, TimeUnit.MINUTES) || process.exitValue() != 0 || rounds.isEmpty()) {
                throw new IOException("the JVM that measures has failed, see above");
            }
            return new Result(rounds);
        } finally {
            process.destroyForcibly();
            Runtime.getRuntime().removeShutdownHook(stop);
        }
    }

    private static List<Result.Round> read(Process process, Runnable progress) throws IOException {
        List<Result.Round> rounds = new ArrayList<>();
        try (BufferedReader lines = process.inputReader()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith(MARK)) {
                    String[] fields = line.substring(MARK.length()).split("\t");
                    rounds.add(new Result.Round(Double.parseDouble(fields[0]), Double.parseDouble(fields[1])));
                    progress.run();
                } else {
                    System.err.println(line);
                }
            }
        }
        return rounds;
    }
}
