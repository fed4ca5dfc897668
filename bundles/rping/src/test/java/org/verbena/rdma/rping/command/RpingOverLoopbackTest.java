package org.verbena.rdma.rping.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.verbena.rdma.rping.command.LoopbackBench.ADDRESS;
import static org.verbena.rdma.rping.command.LoopbackBench.DEVICE;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.verbena.rdma.monitor.Snapshot;

class RpingOverLoopbackTest {
    private final LoopbackBench bench = new LoopbackBench();
    private final RpingCommand servers = bench.activate();
    private final RpingCommand clients = bench.activate();

    @AfterEach
    void close() {
        bench.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"-S 23", "-S 100", "-S 65535", "-q"})
    void whatTheClientSendsIsWhatTheServerReadsAndWhatComesBack(String option) throws Exception {
        RunningRping server = server("-v");

        RunningRping client = client(server, "-C 3 -v -V " + option);

        client.mustEndWith(0);
        server.mustEndWith(0);
        assertThat(pings(client)).hasSize(3).first().asString().startsWith("rdma-ping-0: ");
        assertThat(pings(server)).isEqualTo(pings(client));
        assertThat(client.output()).last().asString().startsWith("3 pings of ").endsWith(", all verified");
        assertThat(client.errors()).isEmpty();
        assertThat(server.errors()).isEmpty();
        assertNothingIsLeft();
    }

    @Test
    void pingsItself() throws Exception {
        RunningRping both = start(clients, "-s -c -a " + ADDRESS + " -C 3 -v -V");

        both.mustEndWith(0);
        assertThat(pings(both)).hasSize(3);
        assertThat(both.output()).anyMatch(line -> line.startsWith("3 pings of 64 bytes"));
        assertThat(both.errors()).isEmpty();
        assertNothingIsLeft();
    }

    @Test
    void stopsBothEndsThatPingEachOther() throws Exception {
        RunningRping both = start(clients, "-s -c -v -a " + ADDRESS);
        both.awaitOutput("rdma-ping-1:");

        clients.deactivate();

        both.mustEndWith(1);
        assertThat(both.errors()).anyMatch(line -> line.startsWith("rping: the client was stopped after "));
        assertNothingIsLeft();
    }

    @Test
    void pingsNobodyElseWhereItsOwnServerCannotListen() throws Exception {
        RunningRping first = server("-P");

        RunningRping both = start(clients, "-s -c -a " + ADDRESS + " -p " + first.port());

        both.mustEndWith(1);
        assertThat(both.errors())
                .singleElement()
                .asString()
                .startsWith("rping: ")
                .contains("port " + first.port())
                .doesNotContain("it broke");
        first.interrupt();
    }

    @Test
    void aServerWithoutPEndsWithItsFirstClientAndRefusesOthers() throws Exception {
        RunningRping server = server("");
        String port = server.port();
        client(server, "-C 1").mustEndWith(0);
        server.mustEndWith(0);

        RunningRping late = start(clients, "-c -a " + ADDRESS + " -p " + port);

        late.mustEndWith(1);
        assertThat(late.errors()).containsExactly("rping: nobody listens on " + ADDRESS + " port " + port);
    }

    @Test
    void aPersistentServerServesManyClientsAtATime() throws Exception {
        RunningRping server = server("-P");

        List<RunningRping> many =
                IntStream.range(0, 8).mapToObj(i -> client(server, "-C 50 -V")).toList();

        for (RunningRping client : many) {
            client.mustEndWith(0);
        }
        assertThat(server.status()).isNotDone();
        server.interrupt();
        await().until(server.status()::isDone);
        assertNothingIsLeft();
    }

    @Test
    void aServerThatCountsDisconnectsWhoeverWantsMore() throws Exception {
        RunningRping server = server("-C 5");

        RunningRping client = client(server, "-C 6");

        client.mustEndWith(1);
        server.mustEndWith(0);
        assertThat(client.errors()).singleElement().asString().contains("has ended the connection after 5 pings");
        assertThat(server.output()).last().asString().endsWith("disconnected after 5 pings");
    }

    @Test
    void aServerTakesNoLongerPingsThanItIsTold() throws Exception {
        RunningRping server = server("-S 64");

        RunningRping client = client(server, "-C 1 -S 65");

        client.mustEndWith(1);
        server.mustEndWith(1);
        assertThat(server.errors())
                .singleElement()
                .asString()
                .endsWith("its pings of 65 bytes are longer than the 64 bytes that this server takes (-S)");
    }

    @Test
    void aPortInUseIsOneSentence() throws Exception {
        RunningRping first = server("-P");

        RunningRping second = start(servers, "-s -a " + ADDRESS + " -p " + first.port());

        second.mustEndWith(1);
        assertThat(second.errors())
                .singleElement()
                .asString()
                .startsWith("rping: ")
                .contains(first.port());
    }

    @Test
    void anAddressThatNoDeviceLeadsToIsOneSentence() throws Exception {
        RunningRping client = start(clients, "-c -a 192.0.2.1");

        client.mustEndWith(1);
        assertThat(client.errors())
                .singleElement()
                .asString()
                .startsWith("rping: ")
                .contains("192.0.2.1");
    }

    @Test
    void anAddressOfNoDeviceIsNoneToListenOn() throws Exception {
        RunningRping server = start(servers, "-s -a 192.0.2.1");

        server.mustEndWith(1);
        assertThat(server.errors())
                .singleElement()
                .asString()
                .startsWith("rping: ")
                .contains("192.0.2.1");
    }

    @Test
    void aDevicePulledUnderTrafficIsSaidByBothAndTheListenerServesWhenItIsBack() throws Exception {
        RunningRping server = start(servers, "-s -P -p 0");
        RunningRping client = client(server, "-v");
        client.awaitOutput("rdma-ping-20:");
        long listener = listener();

        bench.unplug();

        client.mustEndWith(1);
        assertThat(client.errors())
                .singleElement()
                .asString()
                .startsWith("rping: device " + DEVICE + " was removed after ");
        server.awaitError("device " + DEVICE + " was removed");
        assertThat(server.status()).isNotDone();

        bench.plug();

        client(server, "-C 3 -V").mustEndWith(0);
        assertThat(listener()).isEqualTo(listener);
    }

    @Test
    void aServerOnAnAddressListensAgainWhenItsDeviceIsBack() throws Exception {
        RunningRping server = server("-P");
        client(server, "-C 3 -V").mustEndWith(0);

        bench.unplug();
        server.awaitError("the listener on " + ADDRESS);
        server.awaitOutput("waiting for " + ADDRESS);
        bench.plug();

        await().until(() -> server.output().stream()
                        .filter(line -> line.startsWith("listening on"))
                        .count()
                == 2);
        client(server, "-C 3 -V").mustEndWith(0);
    }

    @Test
    void aServerOnAnAddressWithoutPEndsWithItsDevice() throws Exception {
        RunningRping server = server("");
        server.port();

        bench.unplug();

        server.mustEndWith(1);
        assertThat(server.errors()).singleElement().asString().endsWith("device " + DEVICE + " was removed");
    }

    @Test
    void theEndOfTheComponentEndsWhatRunsAndLeavesNothing() throws Exception {
        RunningRping server = server("-P");
        RunningRping client = client(server, "-v");
        client.awaitOutput("rdma-ping-20:");

        bench.deactivate(clients);
        client.mustEndWith(1);
        server.awaitOutput("disconnected after");
        bench.deactivate(servers);
        server.mustEndWith(1);

        assertThat(client.errors()).singleElement().asString().startsWith("rping: the client was stopped after ");
        assertThat(server.errors()).containsExactly("rping: the server was stopped");
        assertNothingIsLeft();
    }

    @Test
    void theEndOfTheServerUnderTrafficIsToldToTheClient() throws Exception {
        RunningRping server = server("-P");
        RunningRping client = client(server, "-v");
        client.awaitOutput("rdma-ping-20:");

        bench.deactivate(servers);

        client.mustEndWith(1);
        assertThat(client.errors()).singleElement().asString().contains("has ended the connection after");
        assertNothingIsLeft();
    }

    @Test
    void anInterruptEndsAClientUnderTraffic() throws Exception {
        RunningRping server = server("-P");
        RunningRping client = client(server, "-v");
        client.awaitOutput("rdma-ping-20:");

        client.interrupt();

        assertThat(client.status()).failsWithin(LoopbackBench.PATIENCE);
        server.awaitOutput("disconnected after");
    }

    private RunningRping server(String options) {
        return start(servers, "-s -a " + ADDRESS + " -p 0 " + options);
    }

    private RunningRping client(RunningRping server, String options) {
        return start(clients, "-c -a " + ADDRESS + " -p " + server.port() + " " + options);
    }

    private static RunningRping start(RpingCommand rping, String arguments) {
        return new RunningRping(rping, arguments.strip());
    }

    private static List<String> pings(RunningRping side) {
        return side.output().stream()
                .filter(line -> line.contains("ping data: "))
                .map(line -> line.replaceFirst(".*ping data: ", ""))
                .toList();
    }

    private long listener() {
        return bench.monitor().snapshot().listeners().get(0).id().number();
    }

    private void assertNothingIsLeft() {
        await().untilAsserted(() -> {
            Snapshot snapshot = bench.monitor().snapshot();
            assertThat(snapshot.ids()).isEmpty();
            assertThat(snapshot.listeners()).isEmpty();
            assertThat(snapshot.connections()).isEmpty();
            assertThat(snapshot.devices())
                    .allSatisfy(device -> assertThat(device.verbsObjects()).isEmpty());
        });
    }
}
