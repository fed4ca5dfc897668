package org.verbena.rdma.launcher;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A folder that is gone with this process.
 *
 * @param path where it is
 */
record TemporaryFolder(Path path) implements AutoCloseable {
    static TemporaryFolder create() throws LaunchException {
        try {
            return new TemporaryFolder(Files.createTempDirectory("verbena"));
        } catch (IOException e) {
            throw new LaunchException("no temporary folder can be made in " + System.getProperty("java.io.tmpdir"), e);
        }
    }

    @Override
    public void close() {
        try (Stream<Path> files = Files.walk(path)) {
            List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
            for (Path file : deepestFirst) {
                Files.deleteIfExists(file);
            }
        } catch (IOException | UncheckedIOException e) {
            System.err.println("verbena: the temporary folder " + path + " could not be deleted");
        }
    }
}
