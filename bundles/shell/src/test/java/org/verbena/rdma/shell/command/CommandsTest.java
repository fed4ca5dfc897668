package org.verbena.rdma.shell.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.monitor.ConnectionSnapshot;
import org.verbena.rdma.monitor.DeviceSnapshot.Condition;
import org.verbena.rdma.monitor.ListenerSnapshot;
import org.verbena.rdma.monitor.RemovalSnapshot;
import org.verbena.rdma.monitor.RemovalSnapshot.Step;

class CommandsTest {
    private final ByteArrayOutputStream outBytes = new ByteArrayOutputStream();
    private final ByteArrayOutputStream errBytes = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(outBytes, true, UTF_8);
    private final Invocation invocation = new Invocation(out, new PrintStream(errBytes, true, UTF_8));
    private final FakeMonitor monitor = new FakeMonitor();

    @Test
    void devicesAreListedWithWhatTheyAreInUseFor() {
        monitor.devices.add(FakeMonitor.device("lo", Condition.PRESENT));
        monitor.devices.add(FakeMonitor.device("eth0", Condition.UNPLUGGED));

        assertThat(invocation.run(new DevicesCommand.Devices(monitor, out))).isZero();

        assertThat(printed())
                .containsExactly(
                        "NAME  PROVIDER  TRANSPORT  CONDITION  LINK  IDS  OBJECTS  ADDRESSES",
                        "lo    iwarp     iwarp      present    up    2    7        127.0.0.1, 0:0:0:0:0:0:0:1",
                        "eth0  iwarp     iwarp      unplugged  up    2    7        127.0.0.1, 0:0:0:0:0:0:0:1");
    }

    @Test
    void allIdsAreListedByNumber() {
        monitor.ids.add(FakeMonitor.id(3, "ADDR_QUERY", "", ""));
        monitor.listeners.add(new ListenerSnapshot(
                FakeMonitor.id(1, "LISTEN", "0.0.0.0:7174", ""), 256, 0, List.of("lo 127.0.0.1"), List.of()));
        monitor.connections.add(new ConnectionSnapshot(
                FakeMonitor.id(2, "CONNECT", "127.0.0.1:7174", "127.0.0.1:4711"),
                17,
                "READY",
                false,
                1,
                1000,
                Map.of()));

        assertThat(invocation.run(new IdsCommand.Ids(monitor, out))).isZero();

        assertThat(printed())
                .containsExactly(
                        "ID  STATE       ROLE      DEVICE  LOCAL           PEER            QUEUE PAIR  EVENTS  CONSUMER",
                        "1   LISTEN      listener  lo      0.0.0.0:7174                                0       org.verbena.rdma.rping",
                        "2   CONNECT     passive   lo      127.0.0.1:7174  127.0.0.1:4711  17 READY    0       org.verbena.rdma.rping",
                        "3   ADDR_QUERY            lo                                                  0       org.verbena.rdma.rping");
    }

    @Test
    void listenersAreListedWithWhereTheyListen() {
        monitor.listeners.add(new ListenerSnapshot(
                FakeMonitor.id(1, "LISTEN", "0.0.0.0:7174", ""),
                256,
                0,
                List.of("lo 127.0.0.1"),
                List.of("eth0 10.0.0.1: address in use")));
        monitor.listeners.add(
                new ListenerSnapshot(FakeMonitor.id(2, "LISTEN", "0.0.0.0:7175", ""), 256, 1, List.of(), List.of()));

        assertThat(invocation.run(new ListenersCommand.Listeners(monitor, out))).isZero();

        assertThat(printed())
                .containsExactly(
                        "ID  LOCAL         WAITING  BACKLOG  SERVED        FAILING                        CONSUMER",
                        "1   0.0.0.0:7174  0        256      lo 127.0.0.1  eth0 10.0.0.1: address in use  org.verbena.rdma.rping",
                        "2   0.0.0.0:7175  1        256      none                                         org.verbena.rdma.rping");
    }

    @Test
    void whereThereIsNothingItIsSaid() {
        invocation.run(new DevicesCommand.Devices(monitor, out));
        invocation.run(new IdsCommand.Ids(monitor, out));
        invocation.run(new ListenersCommand.Listeners(monitor, out));

        assertThat(printed()).containsExactly("no devices", "no ids", "no listeners");
    }

    @Test
    void unplugTellsWhatTheRemovalHasDone() {
        monitor.devices.add(FakeMonitor.device("lo", Condition.PRESENT));
        monitor.removed = removal(Step.DONE, 3, 0, List.of(), List.of("a.slow.consumer"));

        assertThat(invocation.run(new UnplugCommand.Unplug(monitor, out), "lo")).isZero();

        assertThat(printed()).containsExactly("device lo is out after 1.250 s: 3 ids told, forced: a.slow.consumer");
        assertThat(monitor.told).isEmpty();
    }

    @Test
    void unplugTellsWhatItWaitsForWhenItTakesLonger() throws Exception {
        monitor.devices.add(FakeMonitor.device("lo", Condition.PRESENT));
        monitor.outcome = new CompletableFuture<>();
        monitor.removed = removal(Step.DONE, 1, 0, List.of(), List.of());
        monitor.removals.add(
                removal(Step.WAITING_FOR_CONSUMERS, 1, 1, List.of("a.slow.consumer, thread T, callback"), List.of()));
        CompletableFuture<Integer> status =
                CompletableFuture.supplyAsync(() -> invocation.run(new UnplugCommand.Unplug(monitor, out), "lo"));
        await().until(() -> printed().length > 0);

        monitor.outcome.complete(null);

        assertThat(status.get(1, TimeUnit.MINUTES)).isZero();
        assertThat(printed())
                .startsWith("  1.250 s: waiting for consumers, 1 id left, a.slow.consumer, thread T, callback")
                .endsWith("device lo is out after 1.250 s: 1 id told, nobody forced");
    }

    @Test
    void plugTellsWhereTheDeviceServes() {
        monitor.devices.add(FakeMonitor.device("lo", Condition.PRESENT));

        assertThat(invocation.run(new PlugCommand.Plug(monitor, out), "lo")).isZero();

        assertThat(printed()).containsExactly("device lo serves again on 127.0.0.1, 0:0:0:0:0:0:0:1");
    }

    @Test
    void plugTellsWhyTheDeviceDoesNotComeBack() {
        monitor.devices.add(FakeMonitor.device("lo", Condition.UNPLUGGED));
        monitor.outcome =
                CompletableFuture.failedFuture(new RdmaException(RdmaError.ADDRESS_IN_USE, "its address is taken"));

        assertThat(invocation.run(new PlugCommand.Plug(monitor, out), "lo")).isEqualTo(1);

        assertThat(errors()).containsExactly("plug: its address is taken");
    }

    @Test
    void anUnknownDeviceIsOneSentence() {
        assertThat(invocation.run(new UnplugCommand.Unplug(monitor, out), "nosuch"))
                .isEqualTo(1);
        assertThat(invocation.run(new PlugCommand.Plug(monitor, out), "nosuch")).isEqualTo(1);

        assertThat(errors()).containsExactly("unplug: there is no device nosuch", "plug: there is no device nosuch");
    }

    @Test
    void aMissingNameIsOneSentence() {
        assertThat(invocation.run(new UnplugCommand.Unplug(monitor, out))).isEqualTo(2);

        assertThat(errors())
                .containsExactly("unplug: Missing required parameter: 'NAME'; unplug --help tells what there is");
    }

    static Stream<Callable<Integer>> commands() {
        return Stream.of(
                new DevicesCommand.Devices(null, null),
                new IdsCommand.Ids(null, null),
                new ListenersCommand.Listeners(null, null),
                new UnplugCommand.Unplug(null, null),
                new PlugCommand.Plug(null, null));
    }

    @ParameterizedTest
    @MethodSource("commands")
    void eachExplainsItselfAndRefusesWhatItDoesNotKnow(Callable<Integer> command) {
        assertThat(invocation.run(command, "--help")).isZero();
        assertThat(outBytes.toString(UTF_8)).startsWith("Usage: ").contains("-h, --help");

        assertThat(invocation.run(command, "--nosuch")).isEqualTo(2);
        assertThat(errors()).hasSize(1);
    }

    private static RemovalSnapshot removal(
            Step step, int told, int left, List<String> waitingFor, List<String> forced) {
        return new RemovalSnapshot("lo", "unplugged", step, 1250, told, left, waitingFor, forced);
    }

    private String[] printed() {
        return outBytes.toString(UTF_8).lines().toArray(String[]::new);
    }

    private String[] errors() {
        return errBytes.toString(UTF_8).lines().toArray(String[]::new);
    }
}
