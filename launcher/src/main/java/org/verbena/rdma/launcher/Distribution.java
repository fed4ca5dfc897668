package org.verbena.rdma.launcher;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * What there is to run.
 *
 * @param home the folder that has {@code bundles} and {@code etc} in it
 */
record Distribution(Path home) {
    /** Logging, Config Admin, Declarative Services, Gogo: first, so that devices can be configured before they come. */
    List<Path> platform() throws LaunchException {
        return jars("platform");
    }

    /** Verbena, and whatever other providers and consumers were put there. */
    List<Path> verbena() throws LaunchException {
        return jars("verbena");
    }

    /** What only a person at a terminal needs, or a script. */
    List<Path> interactive() throws LaunchException {
        return jars("interactive");
    }

    /** What a web console needs. */
    List<Path> console() throws LaunchException {
        return jars("console");
    }

    private List<Path> jars(String folder) throws LaunchException {
        List<Path> jars = new ArrayList<>();
        try (DirectoryStream<Path> found =
                Files.newDirectoryStream(home.resolve("bundles").resolve(folder), "*.jar")) {
            found.forEach(jars::add);
        } catch (IOException e) {
            throw new LaunchException("the distribution in " + home + " is not complete: " + e.getMessage(), e);
        }
        Collections.sort(jars);
        return jars;
    }
}
