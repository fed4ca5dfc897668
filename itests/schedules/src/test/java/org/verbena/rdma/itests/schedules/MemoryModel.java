package org.verbena.rdma.itests.schedules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What jcstress has found with core as it is, or with a variant that is broken on purpose. */
final class MemoryModel {
    private static final int ATTEMPTS = 8;

    private final String name;
    private final Map<String, String> verdicts = new HashMap<>();

    private MemoryModel(String name) {
        this.name = name;
    }

    /** Searches core as it is with all searches. */
    static MemoryModel ofCore() throws IOException, InterruptedException {
        List<String> options = new ArrayList<>(List.of("-m", "quick", "-t", "org.verbena"));
        if (!Searches.isLong()) {
            options.addAll(List.of("-time", "100", "-iters", "4", "-sc", "false", "-jvmArgs", "-XX:+UseParallelGC"));
        }
        return run("core", null, options);
    }

    /**
     * Searches a broken variant with the searches that must find it out: again, those that have not yet, since on a busy
     * machine two threads seldom meet.
     */
    static MemoryModel ofBroken(String name, List<Break> breaks, List<Class<?>> searches)
            throws IOException, InterruptedException {
        Path classes = BrokenCore.compile(name, breaks);
        MemoryModel all = new MemoryModel(name);
        List<Class<?>> left = searches;
        for (int attempt = 1; attempt <= ATTEMPTS && !left.isEmpty(); attempt++) {
            String which = String.join("|", left.stream().map(Class::getName).toList());
            List<String> options = new ArrayList<>(List.of("-m", "quick", "-t", "^(" + which + ")$"));
            options.addAll(List.of("-sc", "false", "-jvmArgs", "-XX:+UseParallelGC"));
            all.verdicts.putAll(run(name, classes, options).verdicts);
            left = left.stream()
                    .filter(search -> !all.verdict(search).startsWith("caught"))
                    .toList();
        }
        return all;
    }

    private static MemoryModel run(String name, Path front, List<String> options)
            throws IOException, InterruptedException {
        Path folder = Searches.folder(name);
        Path results = folder.resolve("results.tsv");
        List<String> arguments = new ArrayList<>(List.of(results.toString()));
        arguments.addAll(options);
        Searches.Ended ended = Searches.java(folder, front, List.of(), MemoryModelSearch.class, arguments);
        assertThat(results).as(ended.output()).exists();
        MemoryModel found = new MemoryModel(name);
        for (String line : Files.readAllLines(results)) {
            String[] parts = line.split("\t", 2);
            found.verdicts.put(parts[0], parts[1]);
        }
        return found;
    }

    /** What has come of a search: {@code passed}, {@code caught} or {@code error}, and the outcomes. */
    String verdict(Class<?> search) {
        return verdicts.getOrDefault(search.getName(), "was not run in " + name);
    }
}
