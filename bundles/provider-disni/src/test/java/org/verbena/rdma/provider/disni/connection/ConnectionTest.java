package org.verbena.rdma.provider.disni.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.verbena.rdma.QueuePairState;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.cm.ConnectionParameters;
import org.verbena.rdma.cm.PortSpace;
import org.verbena.rdma.provider.disni.scripted.OpenedDevice;
import org.verbena.rdma.provider.disni.scripted.ScriptedNatives;
import org.verbena.rdma.provider.disni.scripted.ToldEndpoint;
import org.verbena.rdma.provider.disni.verbs.DisniQueuePair;
import org.verbena.rdma.spi.Endpoint;
import org.verbena.rdma.spi.EndpointOptions;
import org.verbena.rdma.spi.EndpointUpcalls;
import org.verbena.rdma.spi.ListenerUpcalls;
import org.verbena.rdma.spi.ProviderListener;

class ConnectionTest {
    private static final int ADDRESS_RESOLVED = 0;
    private static final int ADDRESS_ERROR = 1;
    private static final int ROUTE_RESOLVED = 2;
    private static final int CONNECT_REQUEST = 4;
    private static final int CONNECT_RESPONSE = 5;
    private static final int UNREACHABLE = 7;
    private static final int REJECTED = 8;
    private static final int ESTABLISHED = 9;
    private static final int DISCONNECTED = 10;
    private static final int ADDRESS_CHANGE = 14;
    private static final int TIMEWAIT_EXIT = 15;

    private static final InetSocketAddress LOCAL = new InetSocketAddress("10.0.0.1", 0);
    private static final InetSocketAddress PEER = new InetSocketAddress("10.0.0.2", 7174);
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private final ScriptedNatives scripted = new ScriptedNatives();
    private final ToldEndpoint told = new ToldEndpoint();
    private OpenedDevice opened;

    @AfterEach
    void close() {
        if (opened != null) {
            opened.device().close();
        }
    }

    @Test
    void resolvesAndConnects() throws Exception {
        Endpoint endpoint = resolved();
        endpoint.resolveRoute(TIMEOUT);
        scripted.raise(ROUTE_RESOLVED, 0, scripted.lastToken());
        assertThat(told.next()).isEqualTo("routeResolved");
        DisniQueuePair queuePair = opened.queuePair(endpoint);

        connect(endpoint, ConnectionParameters.defaults().withResources(4, 6).withPrivateData(data("hello")));
        raise(CONNECT_RESPONSE, "welcome");

        assertThat(told.next()).isEqualTo("established 3/5 welcome");
        ScriptedNatives.Call connect = scripted.lastCall("connect");
        assertThat(connect.intArgument(2)).isEqualTo(77);
        assertThat((byte[]) connect.arguments().get(3)).isEqualTo("hello".getBytes(StandardCharsets.UTF_8));
        assertThat(connect.arguments().subList(4, 8)).containsExactly(4, 6, 7, 7);
        assertThat(scripted.names()).containsSubsequence("connect", "ready", "establish");
        assertThat(queuePair.state()).isEqualTo(QueuePairState.READY);
        endpoint.close();
    }

    @Test
    void theKernelMovesTheQueuePairsOfIwarp() throws Exception {
        opened = OpenedDevice.iwarp(scripted);
        Endpoint endpoint = resolve();
        DisniQueuePair queuePair = opened.queuePair(endpoint);
        connect(endpoint, ConnectionParameters.defaults().withResources(1, 1));
        raise(ESTABLISHED, "welcome");

        assertThat(told.next()).isEqualTo("established 3/5 welcome");
        assertThat(scripted.calls("ready")).isEmpty();
        assertThat(queuePair.state()).isEqualTo(QueuePairState.READY);
        endpoint.close();
    }

    @Test
    void withoutAQueuePairTheConsumerEstablishes() throws Exception {
        Endpoint endpoint = resolved();
        connect(endpoint, ConnectionParameters.defaults().withResources(1, 1));
        raise(CONNECT_RESPONSE, "");
        assertThat(told.next()).isEqualTo("connectResponse 3/5 ");

        opened.queuePair(endpoint);
        endpoint.establish();

        assertThat(scripted.names()).containsSubsequence("ready", "establish");
        endpoint.close();
    }

    @Test
    void refusesAnAddressThatTheKernelGivesToAnotherDevice() throws Exception {
        opened = OpenedDevice.roce(scripted);
        scripted.answer("device", arguments -> "other0");
        Endpoint endpoint = resolve();
        scripted.raise(ADDRESS_RESOLVED, 0, scripted.lastToken());
        assertThat(told.next()).isEqualTo("addressError ADDRESS_NOT_AVAILABLE");
        endpoint.close();

        assertThatExceptionOfType(RdmaException.class)
                .isThrownBy(() -> listen((made, parameters) -> null))
                .withMessageContaining("other0");
        assertThat(scripted.calls("destroyId")).hasSize(2);
    }

    @Test
    void tellsErrorsByName() throws Exception {
        opened = OpenedDevice.roce(scripted);
        Endpoint endpoint = resolve();
        scripted.raise(ADDRESS_ERROR, -110, scripted.lastToken());
        assertThat(told.next()).isEqualTo("addressError TIMED_OUT");
        endpoint.close();
    }

    @Test
    void aFailedBeginLeavesNothing() throws RdmaException {
        opened = OpenedDevice.roce(scripted);
        scripted.answer("resolveAddress", -19);
        assertThatExceptionOfType(RdmaException.class)
                .isThrownBy(this::resolve)
                .satisfies(failure -> assertThat(failure.error()).isEqualTo(RdmaError.NO_DEVICE));
        assertThat(scripted.calls("destroyId")).hasSize(1);
    }

    @Test
    void tellsWhyAPeerRefuses() throws Exception {
        Endpoint endpoint = resolved();
        DisniQueuePair queuePair = opened.queuePair(endpoint);
        raise(REJECTED, 28, "go away");
        assertThat(told.next()).isEqualTo("rejected CONSUMER go away");
        assertThat(queuePair.state()).isEqualTo(QueuePairState.ERROR);
        raise(REJECTED, 8, "");
        assertThat(told.next()).isEqualTo("rejected NO_LISTENER ");
        raise(REJECTED, -104, "");
        assertThat(told.next()).isEqualTo("rejected CONSUMER ");
        endpoint.close();
    }

    @Test
    void aConnectThatFailsInTheCallIsTold() throws Exception {
        Endpoint endpoint = resolved();
        opened.queuePair(endpoint);
        scripted.answer("connect", -111);
        endpoint.connect(ConnectionParameters.defaults().withResources(1, 1));
        assertThat(told.next()).isEqualTo("rejected NO_LISTENER ");
        assertThat(scripted.calls("freeCall")).hasSize(1);
        endpoint.close();
    }

    @Test
    void closeInterruptsAConnectThatTheKernelKeeps() throws Exception {
        CountDownLatch inside = keptByTheKernel();
        Endpoint endpoint = resolved();
        opened.queuePair(endpoint);
        endpoint.connect(ConnectionParameters.defaults().withResources(1, 1));
        inside.await();

        endpoint.close();

        assertThat(scripted.names()).containsSubsequence("interruptCall", "destroyId");
        assertThat(scripted.calls("freeCall")).hasSize(1);
        assertThat(told.isQuiet()).isTrue();
    }

    @Test
    void closeOfTheQueuePairInterruptsAConnectThatTheKernelKeeps() throws Exception {
        CountDownLatch inside = keptByTheKernel();
        Endpoint endpoint = resolved();
        DisniQueuePair queuePair = opened.queuePair(endpoint);
        endpoint.connect(ConnectionParameters.defaults().withResources(1, 1));
        inside.await();

        queuePair.close();

        assertThat(scripted.names()).containsSubsequence("interruptCall", "freeCall", "destroyQueuePair");
        assertThat(told.next()).isEqualTo("unreachable TIMED_OUT");
        endpoint.close();
    }

    @Test
    void aConnectThatHasNoThreadYetIsGivenUpWithoutOne() throws Exception {
        CountDownLatch threads = new CountDownLatch(64);
        CountDownLatch over = new CountDownLatch(1);
        scripted.answer("connect", arguments -> {
            threads.countDown();
            await(over);
            return 0;
        });
        opened = OpenedDevice.roce(scripted);
        List<Endpoint> endpoints = new ArrayList<>();
        for (int i = 0; i < 65; i++) {
            Endpoint endpoint = resolve();
            endpoint.connect(ConnectionParameters.defaults().withResources(1, 1));
            endpoints.add(endpoint);
        }
        threads.await();
        Endpoint waiting = endpoints.get(64);

        waiting.disconnect();
        over.countDown();

        assertThat(told.next()).isEqualTo("unreachable TIMED_OUT");
        assertThat(scripted.calls("connect")).hasSize(64);
        for (Endpoint endpoint : endpoints) {
            endpoint.close();
        }
    }

    @Test
    void aConnectThatTheKernelKeepsHoldsUpNoOther() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        scripted.answer("interruptCall", arguments -> {
            never.countDown();
            return null;
        });
        scripted.answer("connect", arguments -> {
            await(never);
            return -4;
        });
        Endpoint stuck = resolved();
        opened.queuePair(stuck);
        stuck.connect(ConnectionParameters.defaults().withResources(1, 1));

        scripted.answer("connect", 0);
        Endpoint other = resolve();
        raise(ADDRESS_RESOLVED, "");
        assertThat(told.next()).startsWith("addressResolved");
        opened.queuePair(other);
        connect(other, ConnectionParameters.defaults().withResources(1, 1));
        raise(CONNECT_RESPONSE, "");
        assertThat(told.next()).startsWith("established");
        other.close();
        stuck.close();
    }

    @Test
    void disconnectInterruptsAConnectThatTheKernelKeeps() throws Exception {
        CountDownLatch inside = keptByTheKernel();
        Endpoint endpoint = resolved();
        opened.queuePair(endpoint);
        endpoint.connect(ConnectionParameters.defaults().withResources(1, 1));
        inside.await();

        endpoint.disconnect();

        assertThat(told.next()).isEqualTo("unreachable TIMED_OUT");
        assertThat(scripted.calls("disconnect")).isEmpty();
        endpoint.close();
    }

    @Test
    void answersAPeerThatDisconnects() throws Exception {
        Endpoint endpoint = established();
        raise(DISCONNECTED, "");
        assertThat(told.next()).isEqualTo("disconnected SUCCESS");
        assertThat(scripted.names()).containsSubsequence("disconnect", "failQueuePair");
        raise(TIMEWAIT_EXIT, "");
        assertThat(told.next()).isEqualTo("timewaitExit");
        endpoint.close();
    }

    @Test
    void aNeighbourThatHasChangedEndsNoConnection() throws Exception {
        Endpoint endpoint = established();
        raise(UNREACHABLE, -110, "");
        raise(ADDRESS_CHANGE, "");
        assertThat(told.next()).isEqualTo("addressChanged");
        assertThat(scripted.calls("failQueuePair")).isEmpty();
        endpoint.close();
    }

    @Test
    void noUpcallFollowsAClose() throws Exception {
        Endpoint endpoint = resolved();
        long token = scripted.lastToken();
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        told.during(() -> {
            inside.countDown();
            await(go);
        });
        scripted.raise(ROUTE_RESOLVED, 0, token);
        inside.await();
        AtomicReference<Boolean> destroyed = new AtomicReference<>();
        Thread closing = new Thread(() -> {
            endpoint.close();
            destroyed.set(go.getCount() == 0);
        });
        closing.start();
        go.countDown();
        closing.join();
        assertThat(destroyed.get()).isTrue();
        assertThat(told.next()).isEqualTo("routeResolved");

        scripted.raise(ADDRESS_CHANGE, 0, token);
        scripted.awaitTaken();
        assertThat(told.isQuiet()).isTrue();
    }

    @Test
    void handsOverARequest() throws Exception {
        opened = OpenedDevice.roce(scripted);
        AtomicReference<Endpoint> requested = new AtomicReference<>();
        CountDownLatch came = new CountDownLatch(1);
        ProviderListener listener = listen((made, parameters) -> {
            requested.set(made);
            assertThat(parameters.initiatorDepth()).isEqualTo(5);
            came.countDown();
            return told;
        });
        scripted.raise(CONNECT_REQUEST, 0, scripted.lastToken(), 4242, "please".getBytes(StandardCharsets.UTF_8));
        came.await();
        Endpoint child = requested.get();
        assertThat(child.peerAddress()).isEqualTo(new InetSocketAddress("10.0.0.2", 4712));
        opened.queuePair(child);
        child.accept(ConnectionParameters.defaults().withResources(2, 1).withPrivateData(data("yes")));
        long token = scripted.lastCall("setToken").longArgument(1);
        scripted.raise(ESTABLISHED, 0, token);

        assertThat(told.next()).isEqualTo("established 2/1 ");
        assertThat(scripted.names()).containsSubsequence("ready", "accept");
        listener.close();
        scripted.raise(DISCONNECTED, 0, token);
        assertThat(told.next()).isEqualTo("disconnected SUCCESS");
        child.close();
        assertThat(scripted.lastCall("destroyId").longArgument(0)).isEqualTo(4242);
    }

    @Test
    void refusesARequestThatIsNotTaken() throws Exception {
        opened = OpenedDevice.roce(scripted);
        CountDownLatch destroyed = new CountDownLatch(1);
        scripted.answer("destroyId", arguments -> {
            if ((Long) arguments[0] == 4242) {
                destroyed.countDown();
            }
            return 0;
        });
        ProviderListener listener = listen((made, parameters) -> null);
        scripted.raise(CONNECT_REQUEST, 0, scripted.lastToken(), 4242, new byte[0]);
        destroyed.await();
        listener.close();
    }

    @Test
    void refusesARequestWhoseListenerIsClosed() throws Exception {
        opened = OpenedDevice.roce(scripted);
        CountDownLatch destroyed = new CountDownLatch(1);
        scripted.answer("destroyId", arguments -> {
            if ((Long) arguments[0] == 4242) {
                destroyed.countDown();
            }
            return 0;
        });
        ProviderListener listener = listen((made, parameters) -> told);
        long token = scripted.lastToken();
        listener.close();
        scripted.raise(CONNECT_REQUEST, 0, token, 4242, new byte[0]);
        destroyed.await();
    }

    @Test
    void passesOnThatTheNetworkOfAListenerHasChanged() throws Exception {
        opened = OpenedDevice.roce(scripted);
        ProviderListener listener = listen((made, parameters) -> null);
        long token = scripted.lastToken();
        raise(ADDRESS_CHANGE, "");
        assertThat(told.next()).isEqualTo("addressChanged");
        raise(UNREACHABLE, -110, "");
        raise(ADDRESS_CHANGE, "");
        assertThat(told.next()).isEqualTo("addressChanged");
        listener.close();
        scripted.raise(ADDRESS_CHANGE, 0, token);
        scripted.awaitTaken();
        assertThat(told.isQuiet()).isTrue();
    }

    /** Lets a connect wait inside of the kernel until it is interrupted; returns what is counted down when one does. */
    private CountDownLatch keptByTheKernel() {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        scripted.answer("connect", arguments -> {
            inside.countDown();
            await(interrupted);
            return -4;
        });
        scripted.answer("interruptCall", arguments -> {
            interrupted.countDown();
            return null;
        });
        return inside;
    }

    private Endpoint resolved() throws Exception {
        opened = OpenedDevice.roce(scripted);
        Endpoint endpoint = resolve();
        raise(ADDRESS_RESOLVED, "");
        assertThat(told.next()).isEqualTo("addressResolved /10.0.0.1:4711");
        return endpoint;
    }

    private Endpoint established() throws Exception {
        Endpoint endpoint = resolved();
        opened.queuePair(endpoint);
        connect(endpoint, ConnectionParameters.defaults().withResources(1, 1));
        raise(CONNECT_RESPONSE, "");
        assertThat(told.next()).startsWith("established");
        return endpoint;
    }

    /** Connects, and waits until the call has been made. */
    private void connect(Endpoint endpoint, ConnectionParameters parameters) throws Exception {
        int before = scripted.calls("connect").size();
        endpoint.connect(parameters);
        scripted.awaitCalls("connect", before + 1);
    }

    private Endpoint resolve() throws RdmaException {
        return opened.device().resolve(PortSpace.TCP, LOCAL, PEER, TIMEOUT, EndpointOptions.DEFAULTS, told);
    }

    private interface Taker {
        EndpointUpcalls take(Endpoint endpoint, ConnectionParameters parameters);
    }

    private ProviderListener listen(Taker taker) throws RdmaException {
        return opened.device()
                .listen(
                        PortSpace.TCP,
                        new InetSocketAddress("10.0.0.1", 7174),
                        8,
                        EndpointOptions.DEFAULTS,
                        new ListenerUpcalls() {
                            @Override
                            public EndpointUpcalls request(Endpoint endpoint, ConnectionParameters parameters) {
                                return taker.take(endpoint, parameters);
                            }

                            @Override
                            public void addressChanged() {
                                told.addressChanged();
                            }
                        });
    }

    private void raise(int type, String privateData) {
        raise(type, 0, privateData);
    }

    private void raise(int type, int status, String privateData) {
        scripted.raise(type, status, scripted.lastToken(), 0, privateData.getBytes(StandardCharsets.UTF_8));
    }

    private static ByteBuffer data(String text) {
        return StandardCharsets.UTF_8.encode(text);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException nobodys) {
            throw new IllegalStateException(nobodys);
        }
    }
}
