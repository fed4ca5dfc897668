package org.verbena.rdma.shell.doctor;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What the files of a Linux system tell of RDMA. What cannot be read counts as not there. */
public final class Machine {
    private static final List<String> LIBRARY_FOLDERS =
            List.of("lib", "lib64", "usr/lib", "usr/lib64", "usr/local/lib", "usr/local/lib64");

    private final Path root;

    /**
     * Looks at a system.
     *
     * @param root where its files are, such as {@code /}
     */
    public Machine(Path root) {
        this.root = root;
    }

    /** Whether this is Linux. */
    boolean isLinux() {
        return Files.isDirectory(root.resolve("proc/self"));
    }

    /** The RDMA devices of the kernel. */
    List<String> kernelDevices() {
        return names(root.resolve("sys/class/infiniband"));
    }

    /** The state of the first port of a kernel device, such as ACTIVE, or empty. */
    String portState(String device) {
        return read(root.resolve("sys/class/infiniband").resolve(device).resolve("ports/1/state"))
                .map(text -> text.substring(text.indexOf(':') + 1).strip())
                .orElse("");
    }

    /** Whether a module is loaded, or built in. */
    boolean hasModule(String name) {
        return Files.isDirectory(root.resolve("sys/module").resolve(name))
                || read(root.resolve("proc/modules"))
                        .map(text -> text.lines().anyMatch(line -> line.startsWith(name + " ")))
                        .orElse(false);
    }

    /** Whether a file can be opened for reading and writing by this process. */
    boolean mayOpen(String file) {
        Path path = root.resolve(file);
        return Files.isReadable(path) && Files.isWritable(path);
    }

    /** Whether a file is there. */
    boolean has(String file) {
        return Files.exists(root.resolve(file));
    }

    /** A soft limit of this process, empty for unlimited and for unknown. */
    Optional<Long> limit(String name) {
        return read(root.resolve("proc/self/limits"))
                .flatMap(text ->
                        text.lines().filter(line -> line.startsWith(name + " ")).findFirst())
                .map(line -> line.substring(name.length()).strip().split("\\s+")[0])
                .filter(soft -> soft.chars().allMatch(Character::isDigit))
                .map(Long::valueOf);
    }

    /** Whether the loader would find a shared library in one of its usual folders. */
    boolean hasLibrary(String name) {
        return LIBRARY_FOLDERS.stream()
                .map(root::resolve)
                .flatMap(folder -> Stream.concat(Stream.of(folder), folders(folder)))
                .anyMatch(folder -> Files.exists(folder.resolve(name)));
    }

    /** The folders of Debian's architectures. */
    private static Stream<Path> folders(Path folder) {
        return names(folder).stream()
                .filter(name -> name.endsWith("-linux-gnu"))
                .map(folder::resolve);
    }

    private static List<String> names(Path folder) {
        List<String> names = new ArrayList<>();
        if (Files.isDirectory(folder)) {
            try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
                entries.forEach(entry -> names.add(entry.getFileName().toString()));
            } catch (IOException | java.nio.file.DirectoryIteratorException unreadable) {
                return List.of();
            }
        }
        names.sort(Comparator.naturalOrder());
        return names;
    }

    private static Optional<String> read(Path file) {
        try {
            return Optional.of(Files.readString(file));
        } catch (IOException | UncheckedIOException absent) {
            return Optional.empty();
        }
    }
}
