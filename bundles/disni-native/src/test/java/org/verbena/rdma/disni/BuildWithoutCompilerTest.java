package org.verbena.rdma.disni;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What Maven runs to build the library, on a machine that lacks what it takes: one sentence, and no failure. */
class BuildWithoutCompilerTest {
    private static final Path BUILD = Path.of("src/main/native/build").toAbsolutePath();
    private static final List<String> BARE = List.of("sh", "dirname", "mkdir", "rm", "uname");

    @TempDir
    private Path folder;

    private Path tools;
    private Path out;

    @BeforeEach
    void bareMachine() throws Exception {
        tools = Files.createDirectory(folder.resolve("tools"));
        out = folder.resolve("out");
        for (String tool : BARE) {
            script(tool, "exec " + installed(tool) + " \"$@\"");
        }
    }

    private static Path installed(String tool) {
        List<Path> found = Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .map(part -> Path.of(part, tool))
                .filter(Files::isExecutable)
                .toList();
        assumeTrue(!found.isEmpty(), "this machine has no " + tool);
        return found.get(0);
    }

    private void script(String name, String commands) throws Exception {
        Path script = Files.writeString(tools.resolve(name), "#!/bin/sh\n" + commands + "\n");
        assertThat(script.toFile().setExecutable(true)).isTrue();
    }

    @Test
    void withoutACompilerSaysWhatToInstall() throws Exception {
        assertSaysWhatToInstall(build());
    }

    @Test
    void withoutHeadersSaysWhatToInstall() throws Exception {
        script("gcc", "echo 'fatal error: rdma/rdma_cma.h: No such file or directory' >&2; exit 1");
        assertSaysWhatToInstall(build());
    }

    @Test
    void takesAwayWhatAnEarlierBuildHasLeft() throws Exception {
        Path library = out.resolve("native/linux-x86-64/libdisni.so");
        Files.createDirectories(library.getParent());
        Files.writeString(library, "old");
        Files.writeString(out.resolve("native.bnd"), "Bundle-NativeCode: native/linux-x86-64/libdisni.so,*\n");
        assertSaysWhatToInstall(build());
        assertThat(library).doesNotExist();
    }

    private String build() throws Exception {
        ProcessBuilder builder = new ProcessBuilder(
                tools.resolve("sh").toString(),
                BUILD.toString(),
                folder.resolve("headers").toString(),
                out.toString(),
                folder.resolve("jdk").toString());
        builder.environment().clear();
        builder.environment().put("PATH", tools.toString());
        Process process = builder.redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said;
    }

    private void assertSaysWhatToInstall(String said) throws Exception {
        assertThat(said.lines().toList()).as("one line").hasSize(1);
        assertThat(said).contains("libdisni.so is not built", "install gcc, librdmacm-dev and libibverbs-dev");
        assertThat(out.resolve("native")).doesNotExist();
        // The bundle then claims no library, and resolves.
        assertThat(Files.readString(out.resolve("native.bnd"))).isEmpty();
    }
}
