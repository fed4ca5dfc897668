// SPDX-License-Identifier: Apache-2.0
package org.verbena.rdma.itests;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;
import org.verbena.rdma.itests.fixture.ConsumerBundles;

/** A consumer exhausts the heap in a callback, in a JVM of its own; see {@link SmallHeap} for what happens there. */
public class HeapExhaustionIT {
    private static final String ACTIVATOR = "org.verbena.rdma.itests.consumers.peer.PeerActivator";

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    @Rule
    public final Timeout limit = Timeout.seconds(120);

    @Test
    public void C4_aCallbackThatExhaustsTheHeapDestroysItsIdAndNothingElse() throws Exception {
        ConsumerBundles.build("peer", "peer", Map.of("Bundle-Activator", ACTIVATOR));
        ConsumerBundles.build("other", "peer", Map.of("Bundle-Activator", ACTIVATOR));
        Path output = folder.newFile("output").toPath();

        Process jvm = new ProcessBuilder(command())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(jvm.waitFor(100, TimeUnit.SECONDS))
                    .as("it comes to its end; it said:%n%s", Files.readString(output))
                    .isTrue();
        } finally {
            jvm.destroyForcibly();
        }

        String said = Files.readString(output);
        assertThat(said)
                .containsPattern("WARN .*bundle peer threw on .*ESTABLISHED.*: the id is destroyed")
                .contains(SmallHeap.SURVIVED);
        assertThat(jvm.exitValue()).as(said).isZero();
    }

    private List<String> command() throws Exception {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx64m"));
        for (String property :
                List.of("verbena.version", "verbena.consumers", "verbena.bundles", "verbena.thirdparty")) {
            command.add("-D" + property + "=" + System.getProperty(property));
        }
        command.addAll(List.of(
                "-cp",
                System.getProperty("java.class.path"),
                SmallHeap.class.getName(),
                folder.newFolder("framework").toString()));
        return command;
    }
}
