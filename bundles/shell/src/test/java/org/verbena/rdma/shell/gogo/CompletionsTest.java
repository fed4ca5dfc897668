package org.verbena.rdma.shell.gogo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import org.apache.felix.gogo.runtime.CommandProcessorImpl;
import org.apache.felix.service.command.CommandSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.verbena.rdma.monitor.DeviceSnapshot.Condition;
import org.verbena.rdma.shell.command.FakeMonitor;

class CompletionsTest {
    private final FakeMonitor monitor = new FakeMonitor();
    private final CommandProcessorImpl gogo = new CommandProcessorImpl(null);
    private final Complete complete = new Complete();
    private final CommandSession session = gogo.createSession(
            new ByteArrayInputStream(new byte[0]), new ByteArrayOutputStream(), new ByteArrayOutputStream());

    @BeforeEach
    void start() {
        gogo.addCommand("gogo", complete, "complete");
        gogo.addListener(new Completions(monitor));
        monitor.devices.add(FakeMonitor.device("lo", Condition.PRESENT));
        monitor.devices.add(FakeMonitor.device("eth0", Condition.UNPLUGGED));
    }

    @AfterEach
    void stop() {
        gogo.stop();
    }

    @Test
    void aSessionOfFelixShellIsTaughtOnce() throws Exception {
        session.put(".completions", new HashMap<>());

        session.execute("x = 1");
        session.execute("x = 2");

        assertThat(complete.lines).contains("-c rdma:unplug -d takes a device out -a __rdma_devices_present");
        assertThat(complete.lines).doesNotHaveDuplicates();
    }

    @Test
    void whatItIsTaughtNamesTheDevices() throws Exception {
        session.put(".completions", new HashMap<>());
        session.execute("x = 1");

        assertThat(session.execute("__rdma_devices_present")).isEqualTo(List.of("lo"));
        assertThat(session.execute("__rdma_devices_out")).isEqualTo(List.of("eth0"));
    }

    @Test
    void anotherSessionIsLeftAlone() throws Exception {
        session.execute("x = 1");

        assertThat(complete.lines).isEmpty();
    }

    /** Stands for the command of gogo.jline. */
    public static final class Complete {
        private final List<String> lines = new ArrayList<>();

        public void complete(String[] arguments) {
            lines.add(String.join(" ", arguments));
        }
    }
}
