package org.verbena.rdma.benchmarks;

import java.nio.file.Path;
import java.util.List;

/** What a JVM is started with to be recorded by Java Flight Recorder. */
final class Recording {
    private static final String FOLDER = "verbena.benchmarks.recordings";

    private Recording() {}

    /**
     * Returns the options.
     *
     * @param folder where the recording goes
     * @param name what runs in that JVM
     * @return options of {@code java}
     */
    static List<String> options(Path folder, String name) {
        Path file = folder.resolve(name.replaceAll("[^A-Za-z0-9]+", "-") + ".jfr");
        return List.of("-D" + FOLDER + "=" + folder, "-XX:StartFlightRecording:settings=profile,filename=" + file);
    }

    /**
     * Returns the options for a JVM that this one starts.
     *
     * @param name what runs in that JVM
     * @return options of {@code java}, none if this one is not recorded
     */
    static List<String> inherited(String name) {
        String folder = System.getProperty(FOLDER);
        return folder == null ? List.of() : options(Path.of(folder), name);
    }
}
