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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.monitor.ConnectionSnapshot;
import org.verbena.rdma.monitor.ConsumerSnapshot;
import org.verbena.rdma.monitor.DeviceSnapshot.Condition;
import org.verbena.rdma.monitor.ListenerSnapshot;
import org.verbena.rdma.monitor.MonitorListener;
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

        assertThat(invocation.run(new Devices(monitor, out))).isZero();

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

        assertThat(invocation.run(new Ids(monitor, out))).isZero();

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

        assertThat(invocation.run(new Listeners(monitor, out))).isZero();

        assertThat(printed())
                .containsExactly(
                        "ID  LOCAL         WAITING  BACKLOG  SERVED        FAILING                        CONSUMER",
                        "1   0.0.0.0:7174  0        256      lo 127.0.0.1  eth0 10.0.0.1: address in use  org.verbena.rdma.rping",
                        "2   0.0.0.0:7175  1        256      none                                         org.verbena.rdma.rping");
    }

    @Test
    void whereThereIsNothingItIsSaid() {
        invocation.run(new Devices(monitor, out));
        invocation.run(new Ids(monitor, out));
        invocation.run(new Listeners(monitor, out));

        assertThat(printed()).containsExactly("no devices", "no ids", "no listeners");
    }

    @Test
    void unplugTellsWhatTheRemovalHasDone() {
        monitor.devices.add(FakeMonitor.device("lo", Condition.PRESENT));
        monitor.removed = removal(Step.DONE, 3, 0, List.of(), List.of("a.slow.consumer"));

        assertThat(invocation.run(new Unplug(monitor, out), "lo")).isZero();

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
                CompletableFuture.supplyAsync(() -> invocation.run(new Unplug(monitor, out), "lo"));
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

        assertThat(invocation.run(new Plug(monitor, out), "lo")).isZero();

        assertThat(printed()).containsExactly("device lo serves again on 127.0.0.1, 0:0:0:0:0:0:0:1");
    }

    @Test
    void plugTellsWhyTheDeviceDoesNotComeBack() {
        monitor.devices.add(FakeMonitor.device("lo", Condition.UNPLUGGED));
        monitor.outcome =
                CompletableFuture.failedFuture(new RdmaException(RdmaError.ADDRESS_IN_USE, "its address is taken"));

        assertThat(invocation.run(new Plug(monitor, out), "lo")).isEqualTo(1);

        assertThat(errors()).containsExactly("plug: its address is taken");
    }

    @Test
    void anUnknownDeviceIsOneSentence() {
        assertThat(invocation.run(new Unplug(monitor, out), "nosuch")).isEqualTo(1);
        assertThat(invocation.run(new Plug(monitor, out), "nosuch")).isEqualTo(1);

        assertThat(errors()).containsExactly("unplug: there is no device nosuch", "plug: there is no device nosuch");
    }

    @Test
    void aMissingNameIsOneSentence() {
        assertThat(invocation.run(new Unplug(monitor, out))).isEqualTo(2);

        assertThat(errors())
                .containsExactly("unplug: Missing required parameter: 'NAME'; unplug --help tells what there is");
    }

    static Stream<Callable<Integer>> commands() {
        return Stream.of(
                new Devices(null, null),
                new Ids(null, null),
                new Listeners(null, null),
                new Connections(null, null),
                new Stats(null, null),
                new Trace(null, null),
                new Doctor(null, null),
                new Unplug(null, null),
                new Plug(null, null));
    }

    @ParameterizedTest
    @MethodSource("commands")
    void eachExplainsItselfAndRefusesWhatItDoesNotKnow(Callable<Integer> command) {
        assertThat(invocation.run(command, "--help")).isZero();
        assertThat(outBytes.toString(UTF_8)).startsWith("Usage: ").contains("-h, --help");

        assertThat(invocation.run(command, "--nosuch")).isEqualTo(2);
        assertThat(errors()).hasSize(1);
    }

    @Test
    void aDeviceThatIsHeldUpSaysByWhom() {
        monitor.devices.add(FakeMonitor.device("lo", Condition.REMOVING));
        monitor.ids.add(FakeMonitor.id(3, "CONNECT", "", ""));
        monitor.consumers.add(
                new ConsumerSnapshot("org.verbena.rdma.rping", 7, "1.0", 1, 1, 0, List.of("rdma callbacks 1"), 2, 0));
        monitor.removals.add(
                removal(Step.WAITING_FOR_CONSUMERS, 1, 1, List.of("a.slow.consumer, thread T, callback"), List.of()));

        assertThat(invocation.run(new Devices(monitor, out), "lo")).isZero();
        assertThat(printed())
                .contains(
                        "  condition              removing",
                        "  objects                5 memory region, 2 queue pair",
                        "  used by                org.verbena.rdma.rping: its callbacks block thread rdma callbacks 1,"
                                + " 2 callbacks wait",
                        "  removal                waiting for consumers, runs for 1.250 s, 1 id told, 1 left; begun by:"
                                + " unplugged",
                        "  held up by             a.slow.consumer, thread T, callback");
        outBytes.reset();
        invocation.run(new Devices(monitor, out));
        assertThat(printed()[1]).endsWith("waiting for consumers, 1 id left, a.slow.consumer, thread T, callback");
    }

    @Test
    void listsAreJsonForPrograms() {
        monitor.devices.add(FakeMonitor.device("lo", Condition.PRESENT));

        assertThat(invocation.run(new Devices(monitor, out), "--json")).isZero();
        assertThat(outBytes.toString(UTF_8))
                .contains("\"name\": \"lo\"", "\"condition\": \"PRESENT\"", "\"memory region\": 5");
        outBytes.reset();
        assertThat(invocation.run(new Listeners(monitor, out), "--json")).isZero();
        assertThat(printed()).containsExactly("[]");
    }

    @Test
    void connectionsAreListedWithTheirBytes() {
        monitor.connections.add(new ConnectionSnapshot(
                FakeMonitor.id(2, "CONNECT", "127.0.0.1:7174", "127.0.0.1:4711"),
                17,
                "READY",
                false,
                1,
                1000,
                Map.of("bytes.send.out", 5L, "bytes.write.out", 10L, "bytes.send.in", 7L, "messages.send.in", 1L)));

        assertThat(invocation.run(new Connections(monitor, out))).isZero();

        assertThat(printed())
                .containsExactly(
                        "ID  STATE    ROLE          DEVICE  LOCAL           PEER            QUEUE PAIR  FOR      SENT"
                                + "  RECEIVED  CONSUMER",
                        "2   CONNECT  passive of 1  lo      127.0.0.1:7174  127.0.0.1:4711  17 READY    1.000 s  15  "
                                + "  7         org.verbena.rdma.rping");
    }

    @Test
    void statsLeaveOutWhatIsZero() {
        monitor.devices.add(
                FakeMonitor.device("lo", Condition.PRESENT, Map.of("errors.crc", 0L, "bytes.send.out", 3L)));

        assertThat(invocation.run(new Stats(monitor, out), "lo")).isZero();

        assertThat(printed()).containsExactly("DEVICE  COUNTER         VALUE", "lo      bytes.send.out  3");
        assertThat(invocation.run(new Stats(monitor, out), "nosuch")).isEqualTo(1);
        assertThat(errors()).containsExactly("stats: there is no device nosuch");
    }

    @Test
    void statsComeAgainUntilInterrupted() throws Exception {
        monitor.devices.add(FakeMonitor.device("lo", Condition.PRESENT, Map.of("bytes.send.out", 3L)));
        AtomicInteger status = new AtomicInteger();
        Thread user = new Thread(() -> status.set(invocation.run(new Stats(monitor, out), "--every", "1")));
        user.start();
        await().until(() ->
                Stream.of(printed()).filter(line -> line.startsWith("DEVICE")).count() == 2);

        user.interrupt();

        user.join(60_000);
        assertThat(status).hasValue(130);
        assertThat(printed()).contains("lo      bytes.send.out  3      0");
        assertThat(errors()).isEmpty();
    }

    @Test
    void ofTwoDevicesWithOneNameThatWhichServesIsCounted() {
        monitor.devices.add(FakeMonitor.device("lo", Condition.PRESENT, Map.of("bytes.send.out", 3L)));
        monitor.devices.add(FakeMonitor.device("lo", Condition.FAILED, Map.of()));

        invocation.run(new Stats(monitor, out));

        assertThat(printed()).containsExactly("DEVICE  COUNTER         VALUE", "lo      bytes.send.out  3");
    }

    @Test
    void aDeviceThatWasAwayDoesNotCountBackwards() throws Exception {
        monitor.devices.add(FakeMonitor.device("lo", Condition.PRESENT, Map.of("bytes.send.out", 900L)));
        Thread user = new Thread(() -> invocation.run(new Stats(monitor, out), "--every", "1"));
        user.start();
        await().until(() -> Stream.of(printed()).anyMatch(line -> line.startsWith("lo      bytes.send.out  900")));

        monitor.devices.set(0, FakeMonitor.device("lo", Condition.PRESENT, Map.of("bytes.send.out", 2L)));

        await().until(() -> Stream.of(printed()).anyMatch(line -> line.startsWith("lo      bytes.send.out  2 ")));
        user.interrupt();
        user.join(60_000);
        assertThat(printed()).noneMatch(line -> line.contains("-"));
    }

    @Test
    void traceShowsWhatIsAskedForUntilInterrupted() throws Exception {
        monitor.ids.add(FakeMonitor.id(3, "CONNECT", "", ""));
        AtomicInteger status = new AtomicInteger();
        Thread user = new Thread(() -> status.set(invocation.run(new Trace(monitor, out), "--id", "3")));
        user.start();
        await().until(() -> !monitor.told.isEmpty());
        MonitorListener trace = monitor.told.get(0);

        trace.event(FakeMonitor.id(4, "CONNECT", "", ""), "ESTABLISHED");
        trace.deviceUp(FakeMonitor.device("lo", Condition.PRESENT));
        trace.event(FakeMonitor.id(3, "CONNECT", "1.2.3.4:5", "6.7.8.9:10"), "ESTABLISHED");
        await().until(() -> printed().length > 0);
        user.interrupt();

        user.join(60_000);
        assertThat(status).hasValue(130);
        assertThat(printed()).singleElement().satisfies(line -> assertThat(line)
                .endsWith("  event  ESTABLISHED to id 3 of org.verbena.rdma.rping, now CONNECT on lo, 1.2.3.4:5 with"
                        + " 6.7.8.9:10"));
        assertThat(monitor.told).isEmpty();
        assertThat(invocation.run(new Trace(monitor, out), "--id", "9")).isEqualTo(1);
        assertThat(errors()).containsExactly("trace: there is no id 9; rdma:ids lists those there are");
    }

    @Test
    void traceOfADeviceTellsItsRemovalAsJson() throws Exception {
        Thread user = new Thread(() -> invocation.run(new Trace(monitor, out), "lo", "--json"));
        user.start();
        await().until(() -> !monitor.told.isEmpty());
        MonitorListener trace = monitor.told.get(0);

        trace.removalStep(removal(Step.REVOKING, 1, 0, List.of(), List.of()));
        trace.deviceDown(removal(Step.DONE, 1, 0, List.of(), List.of()));
        trace.missed(2);
        await().until(() -> printed().length == 3);
        user.interrupt();

        user.join(60_000);
        assertThat(printed()[0]).contains("\"what\":\"removal\",\"text\":\"lo: revoking\"");
        assertThat(printed()[1]).contains("\"lo is gone after 1.250 s\"");
        assertThat(printed()[2]).contains("\"missed\"");
    }

    private static RemovalSnapshot removal(
            Step step, int told, int left, List<String> waitingFor, List<String> forced) {
        return new RemovalSnapshot(1, "lo", "unplugged", step, 1250, told, left, waitingFor, forced);
    }

    private String[] printed() {
        return outBytes.toString(UTF_8).lines().toArray(String[]::new);
    }

    private String[] errors() {
        return errBytes.toString(UTF_8).lines().toArray(String[]::new);
    }
}
