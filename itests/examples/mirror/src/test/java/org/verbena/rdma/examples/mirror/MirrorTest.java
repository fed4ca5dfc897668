package org.verbena.rdma.examples.mirror;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.verbena.rdma.core.Core;
import org.verbena.rdma.core.CoreConfiguration;
import org.verbena.rdma.core.device.Device;
import org.verbena.rdma.core.device.DevicePublisher;
import org.verbena.rdma.core.device.DeviceRank;
import org.verbena.rdma.core.device.DeviceSlot;
import org.verbena.rdma.core.session.CmVersion;
import org.verbena.rdma.monitor.DeviceSnapshot;
import org.verbena.rdma.monitor.DeviceSnapshot.Condition;
import org.verbena.rdma.rping.command.RpingCommand;

/** The mirror under core, without a framework: rping over it, and the device pulled. */
class MirrorTest implements DevicePublisher {
    private static final String ADDRESS = "203.0.113.1";

    private final Core core = new Core(CoreConfiguration.DEFAULTS, this, destination -> null);
    private final List<Ping> started = new ArrayList<>();
    private DeviceSlot slot;

    @BeforeAll
    static void bePatient() {
        Awaitility.setDefaultTimeout(Duration.ofSeconds(60));
    }

    @BeforeEach
    void plug() {
        slot = core.devices().offer(new MirrorDevice("mirror0"), new DeviceRank(0, 1));
        await().until(() -> device().condition() == Condition.PRESENT);
    }

    @AfterEach
    void stop() {
        started.forEach(ping -> ping.thread.interrupt());
        core.stop();
    }

    @Test
    void pingsAreReadAndWrittenBack() {
        Ping server = new Ping("-s", "-a", ADDRESS);
        server.await("listening on");
        Ping client = new Ping("-c", "-a", ADDRESS, "-C", "10", "-S", "60000", "-V");

        assertThat(client.status.join()).as(client.said()).isZero();
        assertThat(server.status.join()).as(server.said()).isZero();
        await().untilAsserted(() -> assertThat(device().verbsObjects()).isEmpty());
    }

    @Test
    void aClientMayMakeItsQueuePairLate() {
        Ping server = new Ping("-s", "-a", ADDRESS);
        server.await("listening on");
        Ping client = new Ping("-c", "-a", ADDRESS, "-C", "3", "-V", "-q");

        assertThat(client.status.join()).as(client.said()).isZero();
    }

    @Test
    void whereNobodyListensTheClientIsTold() {
        Ping client = new Ping("-c", "-a", ADDRESS, "-C", "1");

        assertThat(client.status.join()).isEqualTo(1);
        assertThat(client.said()).contains("nobody listens on 203.0.113.1");
    }

    @Test
    @DisplayName("the device is pulled under traffic, nothing is left on it, and the listener serves when it is back")
    void theDeviceIsPulledUnderTraffic() {
        Ping server = new Ping("-s", "-P");
        server.await("listening on");
        Ping client = new Ping("-c", "-a", ADDRESS);
        await().until(() -> core.monitor().snapshot().connections().size() == 2);

        core.devices().withdraw(List.of(slot), "the test takes it out");

        assertThat(client.status.join()).isEqualTo(1);
        assertThat(core.monitor().snapshot().connections()).isEmpty();
        plug();
        Ping again = new Ping("-c", "-a", ADDRESS, "-C", "3", "-V");
        assertThat(again.status.join()).as(again.said()).isZero();
    }

    private DeviceSnapshot device() {
        return core.monitor().snapshot().devices().get(0);
    }

    /** A side of rping, on a thread of its own and with a session of its own. */
    private final class Ping {
        private final ByteArrayOutputStream output = new ByteArrayOutputStream();
        private final CompletableFuture<Integer> status = new CompletableFuture<>();
        private final Thread thread;

        Ping(String... arguments) {
            started.add(this);
            RpingCommand command = new RpingCommand(
                    core.connectionManager(core.openSession("rping " + started.size(), -1, CmVersion.CURRENT)));
            PrintStream stream = new PrintStream(output, true);
            thread = new Thread(() -> run(command, List.of(arguments), stream));
            thread.start();
        }

        private void run(RpingCommand command, List<String> arguments, PrintStream stream) {
            try {
                status.complete(command.run(arguments, stream, stream));
            } catch (InterruptedException | RuntimeException e) {
                status.completeExceptionally(e);
            }
        }

        void await(String text) {
            Awaitility.await().until(() -> said().contains(text));
        }

        String said() {
            return output.toString();
        }
    }

    @Override
    public void publish(Device published) {}

    @Override
    public void update(Device published) {}

    @Override
    public void unpublish(Device published) {}
}
