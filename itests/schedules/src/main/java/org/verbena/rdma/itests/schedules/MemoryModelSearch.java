package org.verbena.rdma.itests.schedules;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import org.openjdk.jcstress.JCStress;
import org.openjdk.jcstress.Options;
import org.openjdk.jcstress.infra.Status;
import org.openjdk.jcstress.infra.collectors.DiskReadCollector;
import org.openjdk.jcstress.infra.collectors.InProcessCollector;
import org.openjdk.jcstress.infra.collectors.TestResult;

/**
 * Runs jcstress and writes down what it has found: one line for each search, with its class, {@code passed},
 * {@code caught} or {@code error}, and the outcomes, separated by tabs.
 */
public final class MemoryModelSearch {
    private MemoryModelSearch() {}

    /**
     * Runs jcstress in the current folder.
     *
     * @param arguments the file to write to, and then jcstress' own
     * @throws Exception whatever jcstress throws
     */
    public static void main(String[] arguments) throws Exception {
        Options options =
                new Options(List.of(arguments).subList(1, arguments.length).toArray(new String[0]));
        if (!options.parse()) {
            System.exit(2);
        }
        try {
            new JCStress(options).run();
        } catch (AssertionError found) {
            // Its way to say that there was something; what it was is in the file.
            System.out.println(found.getMessage());
        }
        write(Path.of(arguments[0]), read(options.getResultFile()));
    }

    private static Collection<TestResult> read(String file) throws IOException, ClassNotFoundException {
        InProcessCollector results = new InProcessCollector();
        DiskReadCollector reader = new DiskReadCollector(file, results);
        reader.dump();
        reader.close();
        return results.getTestResults();
    }

    /** A search runs in several JVMs: it has caught something if one of them has. */
    private static void write(Path file, Collection<TestResult> results) throws IOException {
        TreeMap<String, List<TestResult>> byName = new TreeMap<>();
        for (TestResult result : results) {
            byName.computeIfAbsent(result.getName(), name -> new ArrayList<>()).add(result);
        }
        List<String> lines = new ArrayList<>();
        byName.forEach((name, runs) -> lines.add(name + "\t" + verdict(runs) + "\t" + outcomes(runs)));
        Files.write(file, lines);
    }

    private static String verdict(List<TestResult> runs) {
        if (runs.stream().anyMatch(run -> run.status() == Status.NORMAL && !run.grading().isPassed)) {
            return "caught";
        }
        boolean ran = runs.stream().allMatch(run -> run.status() == Status.NORMAL && run.getTotalCount() > 0);
        return ran ? "passed" : "error";
    }

    private static String outcomes(List<TestResult> runs) {
        TreeMap<String, Long> counts = new TreeMap<>();
        List<String> troubles = new ArrayList<>();
        for (TestResult run : runs) {
            for (String outcome : run.getStateKeys()) {
                counts.merge(outcome, run.getCount(outcome), Long::sum);
            }
            if (run.status() != Status.NORMAL) {
                troubles.add(run.status() + " " + run.getMessages() + run.getVmErr());
            }
        }
        return (counts + (troubles.isEmpty() ? "" : " " + troubles)).replaceAll("\\s+", " ");
    }
}
