package org.verbena.rdma.core.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.verbena.rdma.core.contract.Bench.endpoint;
import static org.verbena.rdma.core.contract.Bench.run;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.cm.CmEventType;
import org.verbena.rdma.cm.CmId;
import org.verbena.rdma.cm.CmState;
import org.verbena.rdma.cm.ConnectionParameters;
import org.verbena.rdma.cm.EventHandler.Verdict;
import org.verbena.rdma.core.CoreConfiguration;
import org.verbena.rdma.core.scripted.ScriptedDevice;

/** Bad input gets an error that says what was wrong, changes nothing and loses nothing. */
class BadInputTest {
    private static final Duration SOON = Duration.ofSeconds(5);

    private final Bench bench = new Bench();
    private final ScriptedDevice device = bench.plug("d0", Bench.LOCAL, "fe80::1%1", "2001:db8::1");
    private final Bench.Consumer consumer = bench.consumer("consumer");

    @AfterEach
    void stop() {
        bench.close();
    }

    private void refused(Bench.Action action, RdmaError error, String words) {
        assertThatThrownBy(action::run)
                .isInstanceOfSatisfying(RdmaException.class, refused -> assertThat(refused.error())
                        .isEqualTo(error))
                .hasMessageContaining(words);
    }

    @Test
    @DisplayName("Unknown hosts, foreign addresses, missing scopes, mixed families, zero timeouts are refused by name")
    void addresses() {
        CmId id = consumer.id(new Probe());
        refused(
                () -> id.resolveAddress(null, InetSocketAddress.createUnresolved("no.such.host", 1), SOON),
                RdmaError.INVALID_ARGUMENT,
                "no.such.host");
        refused(
                () -> id.bindAddress(new InetSocketAddress("198.51.100.7", 0)),
                RdmaError.ADDRESS_NOT_AVAILABLE,
                "198.51.100.7");
        refused(() -> id.bindAddress(new InetSocketAddress("fe80::1", 0)), RdmaError.INVALID_ARGUMENT, "scope");
        refused(
                () -> id.resolveAddress(null, new InetSocketAddress("fe80::2", 1), SOON),
                RdmaError.INVALID_ARGUMENT,
                "scope");
        refused(
                () -> id.resolveAddress(
                        new InetSocketAddress("2001:db8::1", 0), new InetSocketAddress(Bench.REMOTE, 1), SOON),
                RdmaError.INVALID_ARGUMENT,
                "families");
        refused(
                () -> id.resolveAddress(null, new InetSocketAddress(Bench.REMOTE, 0), SOON),
                RdmaError.INVALID_ARGUMENT,
                "port");
        refused(
                () -> id.resolveAddress(null, new InetSocketAddress(Bench.REMOTE, 1), Duration.ZERO),
                RdmaError.INVALID_ARGUMENT,
                "timeout");
        assertThat(id.state()).isEqualTo(CmState.IDLE);
        run(() -> id.resolveAddress(null, new InetSocketAddress(Bench.REMOTE, 1), SOON));
        assertThat(id.state()).isEqualTo(CmState.ADDR_QUERY);
    }

    @Test
    @DisplayName("A port that is taken is refused and names who has it; the id can bind another")
    void portInUse() {
        CmId first = consumer.id(new Probe());
        run(() -> first.bindAddress(new InetSocketAddress("0.0.0.0", 7174)));
        CmId second = bench.consumer("other").id(new Probe());
        refused(
                () -> second.bindAddress(new InetSocketAddress("0.0.0.0", 7174)),
                RdmaError.ADDRESS_NOT_AVAILABLE,
                "bundle consumer");
        assertThat(second.state()).isEqualTo(CmState.IDLE);
        run(() -> second.bindAddress(new InetSocketAddress("0.0.0.0", 7175)));
        first.destroy();
        CmId third = consumer.id(new Probe());
        run(() -> third.bindAddress(new InetSocketAddress("0.0.0.0", 7174)));
    }

    @Test
    @DisplayName("An explicit port that fails on one device fails listen and undoes the rest; the state is as before")
    void listenFails() {
        ScriptedDevice second = bench.plug("d1", "192.0.2.2");
        second.on("listen", () -> {
            throw new RdmaException(RdmaError.ADDRESS_IN_USE, "the operating system has it");
        });
        CmId id = consumer.id(new Probe());
        run(() -> id.bindAddress(new InetSocketAddress("0.0.0.0", 7174)));
        refused(() -> id.listen(1), RdmaError.ADDRESS_IN_USE, "operating system");
        assertThat(id.state()).isEqualTo(CmState.ADDR_BOUND);
        assertThat(device.listeners).allMatch(listener -> listener.closed);
        second.on("listen", () -> {});
        run(() -> id.listen(1));
        assertThat(id.state()).isEqualTo(CmState.LISTEN);
    }

    @Test
    @DisplayName("A listen that fails does not wait for the devices on which it has not begun")
    void listenFailsAtOnce() {
        Duration hour = Duration.ofHours(1);
        bench.core.configure(new CoreConfiguration(hour, hour, hour, 4, hour, hour));
        ScriptedDevice second = bench.plug("d1", "192.0.2.2");
        AtomicInteger tries = new AtomicInteger();
        for (ScriptedDevice each : List.of(device, second)) {
            each.on("listen", () -> {
                tries.incrementAndGet();
                throw new RdmaException(RdmaError.ADDRESS_IN_USE, "the operating system has it");
            });
        }
        CmId id = consumer.id(new Probe());
        run(() -> id.bindAddress(new InetSocketAddress("0.0.0.0", 7174)));

        refused(() -> id.listen(1), RdmaError.ADDRESS_IN_USE, "operating system");

        assertThat(tries).hasValue(1);
    }

    @Test
    @DisplayName("With port 0 listen takes a port that is free on all devices")
    void listenFindsAPort() {
        ScriptedDevice second = bench.plug("d1", "192.0.2.2");
        AtomicReference<Integer> refusals = new AtomicReference<>(3);
        second.on("listen", () -> {
            if (refusals.getAndUpdate(left -> left - 1) > 0) {
                throw new RdmaException(RdmaError.ADDRESS_IN_USE, "the operating system has it");
            }
        });
        CmId id = consumer.id(new Probe());
        run(() -> id.listen(1));
        int port = id.localAddress().getPort();
        assertThat(second.listeners).hasSize(1);
        assertThat(second.listeners.get(0).localAddress().getPort()).isEqualTo(port);
        assertThat(device.listeners.stream().filter(listener -> !listener.closed))
                .singleElement()
                .satisfies(listener ->
                        assertThat(listener.localAddress().getPort()).isEqualTo(port));
    }

    @Test
    @DisplayName("Private data that does not fit is refused with the limit, and connect can be called again")
    void privateData() {
        CmId id = consumer.routed(device, new Probe());
        consumer.queuePair(id);
        refused(
                () -> id.connect(ConnectionParameters.defaults().withPrivateData(ByteBuffer.allocate(57))),
                RdmaError.TOO_LARGE,
                "at most 56");
        refused(
                () -> id.connect(ConnectionParameters.defaults().withResources(100, 1)),
                RdmaError.INVALID_ARGUMENT,
                "100");
        assertThat(id.state()).isEqualTo(CmState.ROUTE_RESOLVED);
        run(() -> id.connect(ConnectionParameters.defaults().withPrivateData(ByteBuffer.allocate(56))));
        assertThat(endpoint(device).told.responderResources()).isEqualTo(16);
    }

    @Test
    @DisplayName("accept lowers MAXIMUM to what the peer asks, and refuses a number that is above it")
    void acceptResources() {
        AtomicReference<CmId> child = new AtomicReference<>();
        Probe probe = new Probe().on(CmEventType.CONNECT_REQUEST, event -> {
            child.set(event.id());
            return Verdict.KEEP;
        });
        consumer.listening(probe);
        var requested =
                device.listeners.get(0).request(ConnectionParameters.defaults().withResources(4, 2));
        probe.await(CmEventType.CONNECT_REQUEST);
        assertThatThrownBy(() -> child.get().accept(ConnectionParameters.defaults()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("queue pair");
        consumer.queuePair(child.get());
        refused(
                () -> child.get().accept(ConnectionParameters.defaults().withResources(4, 3)),
                RdmaError.INVALID_ARGUMENT,
                "the 2 reads");
        run(() -> child.get().accept(ConnectionParameters.defaults()));
        assertThat(requested.told.responderResources()).isEqualTo(4);
        assertThat(requested.told.initiatorDepth()).isEqualTo(2);
        assertThatThrownBy(() -> child.get().reject(null))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("answered");
    }

    @Test
    @DisplayName("When the peer has gone before accept, accept says so")
    void peerGone() {
        AtomicReference<CmId> child = new AtomicReference<>();
        Probe probe = new Probe().on(CmEventType.CONNECT_REQUEST, event -> {
            child.set(event.id());
            consumer.queuePair(event.id());
            return Verdict.KEEP;
        });
        consumer.listening(probe);
        var endpoint = device.listeners.get(0).request();
        probe.await(CmEventType.CONNECT_REQUEST);
        endpoint.upcalls.disconnected(RdmaError.CONNECTION_RESET);
        probe.await(CmEventType.DISCONNECTED);
        assertThat(child.get().state()).isEqualTo(CmState.DISCONNECT);
        assertThatThrownBy(() -> child.get().accept(ConnectionParameters.defaults()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("DISCONNECT");
    }

    @Test
    @DisplayName("A provider that throws what it must not is reported as INPUT_OUTPUT and changes nothing")
    void brokenProvider() {
        CmId id = consumer.id(new Probe());
        device.on("resolve", () -> {
            throw new ArithmeticException("on purpose");
        });
        refused(
                () -> id.resolveAddress(null, new InetSocketAddress(Bench.REMOTE, 1), SOON),
                RdmaError.INPUT_OUTPUT,
                "scripted");
        assertThat(id.state()).isEqualTo(CmState.IDLE);
    }

    @Test
    @DisplayName("After ADDR_ERROR the id is ADDR_BOUND and can resolve another address; the old endpoint is closed")
    void addressError() {
        Probe probe = new Probe();
        CmId id = consumer.id(probe);
        run(() -> id.resolveAddress(null, new InetSocketAddress(Bench.REMOTE, 1), SOON));
        var first = endpoint(device);
        first.upcalls.addressError(RdmaError.HOST_UNREACHABLE);
        assertThat(probe.await(CmEventType.ADDR_ERROR).status()).isEqualTo(RdmaError.HOST_UNREACHABLE);
        assertThat(id.state()).isEqualTo(CmState.ADDR_BOUND);
        assertThat(first.closed).isTrue();
        run(() -> id.resolveAddress(null, new InetSocketAddress("192.0.2.51", 1), SOON));
        first.upcalls.addressResolved(new InetSocketAddress(Bench.LOCAL, 1));
        endpoint(device).upcalls.addressResolved(new InetSocketAddress(Bench.LOCAL, 1));
        probe.await(CmEventType.ADDR_RESOLVED);
        assertThat(probe.count(CmEventType.ADDR_RESOLVED)).isEqualTo(1);
    }

    @TestFactory
    @DisplayName("Each call in each state where it is not legal names the call and the state, and changes nothing")
    Stream<DynamicTest> illegalCalls() {
        Map<String, Consumer<CmId>> calls = Map.of(
                "bindAddress", id -> run(() -> id.bindAddress(new InetSocketAddress(Bench.LOCAL, 0))),
                "resolveAddress",
                        id -> run(() -> id.resolveAddress(null, new InetSocketAddress(Bench.REMOTE, 1), SOON)),
                "resolveRoute", id -> run(() -> id.resolveRoute(SOON)),
                "connect", id -> run(() -> id.connect(ConnectionParameters.defaults())),
                "accept", id -> run(() -> id.accept(ConnectionParameters.defaults())),
                "reject", id -> run(() -> id.reject(null)),
                "listen", id -> run(() -> id.listen(1)),
                "disconnect", id -> run(id::disconnect),
                "establish", id -> run(id::establish));
        Map<CmState, String> legal = Map.of(
                CmState.IDLE, "bindAddress resolveAddress listen",
                CmState.ADDR_BOUND, "resolveAddress listen",
                CmState.ADDR_QUERY, "",
                CmState.ADDR_RESOLVED, "resolveRoute",
                CmState.ROUTE_QUERY, "",
                CmState.ROUTE_RESOLVED, "connect",
                CmState.CONNECT, "disconnect",
                CmState.DISCONNECT, "disconnect",
                CmState.LISTEN, "");
        return legal.entrySet().stream().flatMap(entry -> calls.entrySet().stream()
                .filter(call -> !java.util.List.of(entry.getValue().split(" ")).contains(call.getKey()))
                .map(call -> DynamicTest.dynamicTest(call.getKey() + " in " + entry.getKey(), () -> {
                    CmId id = inState(entry.getKey());
                    assertThatThrownBy(() -> call.getValue().accept(id))
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessageContaining(call.getKey())
                            .hasMessageContaining(entry.getKey().name());
                    assertThat(id.state()).isEqualTo(entry.getKey());
                    id.destroy();
                })));
    }

    private CmId inState(CmState state) {
        Probe probe = new Probe();
        switch (state) {
            case IDLE -> {
                return consumer.id(probe);
            }
            case ADDR_BOUND -> {
                CmId id = consumer.id(probe);
                run(() -> id.bindAddress(new InetSocketAddress("0.0.0.0", 0)));
                return id;
            }
            case LISTEN -> {
                return consumer.listening(probe);
            }
            case ADDR_QUERY -> {
                CmId id = consumer.id(probe);
                run(() -> id.resolveAddress(null, new InetSocketAddress(Bench.REMOTE, 1), SOON));
                return id;
            }
            case ADDR_RESOLVED -> {
                return consumer.resolved(device, probe);
            }
            case ROUTE_QUERY -> {
                CmId id = consumer.resolved(device, probe);
                run(() -> id.resolveRoute(SOON));
                return id;
            }
            case ROUTE_RESOLVED -> {
                return consumer.routed(device, probe);
            }
            case CONNECT -> {
                return consumer.established(device, probe);
            }
            default -> {
                CmId id = consumer.established(device, probe);
                endpoint(device).upcalls.disconnected(RdmaError.SUCCESS);
                probe.await(CmEventType.DISCONNECTED);
                return id;
            }
        }
    }
}
