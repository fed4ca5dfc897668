package org.verbena.rdma.provider.loopback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.verbena.rdma.LinkState;
import org.verbena.rdma.QueuePairState;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.cm.ConnectionParameters;
import org.verbena.rdma.cm.PortSpace;
import org.verbena.rdma.provider.loopback.connection.Timeouts;
import org.verbena.rdma.provider.loopback.fake.Core;
import org.verbena.rdma.provider.loopback.fake.Events;
import org.verbena.rdma.provider.loopback.fake.Pair;
import org.verbena.rdma.provider.loopback.fake.Requests;
import org.verbena.rdma.provider.loopback.fake.Side;
import org.verbena.rdma.provider.loopback.fake.Work;
import org.verbena.rdma.spi.Endpoint;
import org.verbena.rdma.spi.EndpointOptions;
import org.verbena.rdma.spi.ProviderDevice;
import org.verbena.rdma.spi.ProviderListener;

class ConnectionTest {
    private final Core core = new Core();
    private final Requests requests = new Requests();
    private final Events clientEvents = new Events();
    private ProviderDevice clientDevice;
    private ProviderDevice serverDevice;
    private Side client;
    private Side server;

    @BeforeEach
    void addDevices() throws RdmaException {
        clientDevice = core.add("client", "198.18.0.1");
        serverDevice = core.add("server", "198.18.0.2");
        client = new Side(clientDevice);
        server = new Side(serverDevice);
    }

    private static ByteBuffer data(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
    }

    /** Resolves, makes a queue pair and connects. */
    private Endpoint connect(ConnectionParameters parameters) throws RdmaException {
        Endpoint endpoint = resolve();
        client.createQueuePair();
        endpoint.connect(parameters);
        core.upcalls().runAll();
        return endpoint;
    }

    private Endpoint connect() throws RdmaException {
        return connect(Core.parameters());
    }

    private Endpoint resolve() throws RdmaException {
        Endpoint endpoint = core.resolve(clientDevice, Core.at(serverDevice), clientEvents);
        client.endpoint(endpoint, clientEvents);
        core.upcalls().runAll();
        return endpoint;
    }

    private void take() throws RdmaException {
        Requests.Request request = requests.next();
        server.endpoint(request.endpoint(), request.events());
        server.createQueuePair();
    }

    @Test
    void setsUpAConnection() throws Exception {
        core.listen(serverDevice, requests);
        Endpoint endpoint = resolve();
        endpoint.resolveRoute(Duration.ofSeconds(1));
        core.upcalls().runAll();
        client.createQueuePair();
        endpoint.connect(ConnectionParameters.defaults()
                .withResources(3, 5)
                .withRetries(1, 2)
                .withPrivateData(data("hello")));
        core.upcalls().runAll();

        Requests.Request request = requests.next();
        assertThat(request.endpoint().localAddress()).isEqualTo(Core.at(serverDevice));
        assertThat(request.endpoint().peerAddress()).isEqualTo(endpoint.localAddress());
        assertThat(Events.text(request.parameters().privateData())).isEqualTo("hello");
        assertThat(request.parameters().responderResources()).isEqualTo(5);
        assertThat(request.parameters().initiatorDepth()).isEqualTo(3);
        assertThat(request.parameters().receiverNotReadyRetryCount()).isEqualTo(2);

        server.endpoint(request.endpoint(), request.events());
        server.createQueuePair();
        assertThat(server.queuePair().state()).isEqualTo(QueuePairState.INITIALIZED);
        server.endpoint()
                .accept(ConnectionParameters.defaults().withResources(2, 1).withPrivateData(data("welcome")));
        assertThat(server.queuePair().state()).isEqualTo(QueuePairState.READY);
        assertThat(client.queuePair().state()).isEqualTo(QueuePairState.READY);
        core.upcalls().runAll();

        assertThat(clientEvents.names())
                .containsExactly(
                        "addressResolved " + endpoint.localAddress().getPort(), "routeResolved", "established");
        assertThat(Events.text(clientEvents.parameters().privateData())).isEqualTo("welcome");
        assertThat(clientEvents.parameters().responderResources()).isEqualTo(1);
        assertThat(clientEvents.parameters().initiatorDepth()).isEqualTo(2);
        assertThat(server.events().names()).containsExactly("established");
        assertThat(server.events().parameters().privateData().remaining()).isZero();
        assertThat(server.events().parameters().responderResources()).isEqualTo(5);
    }

    @Test
    void padsPrivateDataWhereTheDeviceDoes() throws Exception {
        DeviceConfiguration padding = DeviceConfiguration.of("padding", Core.address("100::3"));
        serverDevice = core.add(padding.withAttributes(padding.attributes().withPrivateData(56, 196, 148, true)));
        DeviceConfiguration other = DeviceConfiguration.of("other", Core.address("100::4"));
        clientDevice = core.add(other);
        client = new Side(clientDevice);
        core.listen(serverDevice, requests);
        connect(Core.parameters().withPrivateData(data("x")));

        ByteBuffer seen = requests.next().parameters().privateData();
        assertThat(seen.remaining()).isEqualTo(56);
        assertThat(seen.get(0)).isEqualTo((byte) 'x');
        assertThat(seen.get(55)).isZero();
    }

    @Test
    void refusesPrivateDataThatDoesNotFit() throws Exception {
        core.listen(serverDevice, requests);
        Endpoint endpoint = resolve();
        client.createQueuePair();
        ConnectionParameters tooMuch = Core.parameters().withPrivateData(ByteBuffer.allocate(57));
        assertThatThrownBy(() -> endpoint.connect(tooMuch))
                .isInstanceOf(RdmaException.class)
                .hasMessageContaining("57 bytes")
                .hasMessageContaining("56");

        endpoint.connect(Core.parameters().withPrivateData(ByteBuffer.allocate(56)));
        core.upcalls().runAll();
        take();
        assertThatThrownBy(() -> server.endpoint().reject(ByteBuffer.allocate(149)))
                .isInstanceOf(RdmaException.class);
        assertThatThrownBy(() -> server.endpoint().accept(Core.parameters().withPrivateData(ByteBuffer.allocate(197))))
                .isInstanceOf(RdmaException.class);
        server.endpoint().accept(Core.parameters().withPrivateData(ByteBuffer.allocate(196)));
    }

    @Test
    void endsTheSetUpByEstablishIfThereWasNoQueuePair() throws Exception {
        core.listen(serverDevice, requests);
        Endpoint endpoint = resolve();
        endpoint.connect(Core.parameters());
        core.upcalls().runAll();
        take();
        server.endpoint().accept(Core.parameters().withPrivateData(data("yes")));
        core.upcalls().runAll();
        assertThat(clientEvents.names()).last().isEqualTo("connectResponse");
        assertThat(Events.text(clientEvents.parameters().privateData())).isEqualTo("yes");
        assertThat(server.events().names()).isEmpty();
        assertThatThrownBy(endpoint::establish).isInstanceOf(RdmaException.class);

        client.createQueuePair();
        endpoint.establish();
        assertThat(client.queuePair().state()).isEqualTo(QueuePairState.READY);
        core.upcalls().runAll();
        assertThat(clientEvents.names()).last().isEqualTo("connectResponse");
        assertThat(server.events().names()).containsExactly("established");
    }

    @Test
    void rejectsWithPrivateData() throws Exception {
        core.listen(serverDevice, requests);
        connect();
        Requests.Request request = requests.next();
        request.endpoint().reject(data("no"));
        request.endpoint().close();
        core.upcalls().runAll();
        assertThat(clientEvents.names()).last().isEqualTo("rejected CONSUMER");
        assertThat(clientEvents.rejectData()).isEqualTo("no".getBytes(StandardCharsets.US_ASCII));
        assertThat(client.queuePair().state()).isEqualTo(QueuePairState.ERROR);
        assertThat(request.events().names()).isEmpty();
    }

    @Test
    void closingAnUnansweredRequestRefusesIt() throws Exception {
        core.listen(serverDevice, requests);
        connect();
        requests.next().endpoint().close();
        core.upcalls().runAll();
        assertThat(clientEvents.names()).last().isEqualTo("rejected CONSUMER");
    }

    @Test
    void refusesARequestThatIsNotTaken() throws Exception {
        requests.takes(false);
        core.listen(serverDevice, requests);
        connect();
        assertThat(requests.count()).isEqualTo(1);
        assertThat(clientEvents.names()).last().isEqualTo("rejected NO_RESOURCES");
        assertThat(core.network().faults().device("server").open())
                .as("domain, region, two queues, listener, device")
                .isEqualTo(6);
    }

    @Test
    void refusesWhereNobodyListens() throws Exception {
        connect();
        assertThat(clientEvents.names()).last().isEqualTo("rejected NO_LISTENER");
    }

    @Test
    void keepsTheBacklogAndRefusesBeyondIt() throws Exception {
        core.listen(serverDevice, 2, requests);
        for (int count = 0; count < 2; count++) {
            core.resolve(clientDevice, Core.at(serverDevice), new Events()).connect(Core.parameters());
        }
        core.upcalls().runAll();
        connect();
        assertThat(clientEvents.names()).last().isEqualTo("rejected NO_RESOURCES");
        assertThat(requests.count()).isEqualTo(2);

        requests.next().endpoint().reject(ByteBuffer.allocate(0));
        Events later = new Events();
        core.resolve(clientDevice, Core.at(serverDevice), later).connect(Core.parameters());
        core.upcalls().runAll();
        assertThat(requests.count()).isEqualTo(3);
    }

    @Test
    void aRequestWhosePeerHasGoneGivesItsPlaceInTheBacklogBack() throws Exception {
        core.listen(serverDevice, 1, requests);
        for (int count = 0; count < 3; count++) {
            Endpoint endpoint = core.resolve(clientDevice, Core.at(serverDevice), new Events());
            endpoint.connect(Core.parameters());
            endpoint.close();
            core.upcalls().runAll();
        }
        connect();
        assertThat(requests.count()).isEqualTo(1);
    }

    @Test
    void anAddressThatNobodyHasIsUnreachableAfterATime() throws Exception {
        Endpoint endpoint =
                core.resolve(clientDevice, new InetSocketAddress(Core.address("198.19.255.254"), 1), clientEvents);
        client.endpoint(endpoint, clientEvents);
        client.createQueuePair();
        endpoint.connect(Core.parameters());
        core.pass(Timeouts.DEFAULTS.connect().minusMillis(1));
        assertThat(clientEvents.names()).hasSize(1);
        core.pass(Duration.ofMillis(1));
        assertThat(clientEvents.names()).last().isEqualTo("unreachable TIMED_OUT");
        assertThat(client.queuePair().state()).isEqualTo(QueuePairState.ERROR);
    }

    @Test
    void aDeviceWithoutItsLinkIsUnreachable() throws Exception {
        core.listen(serverDevice, requests);
        core.network().faults().device("server").changeLink(LinkState.DOWN);
        connect();
        core.pass(Timeouts.DEFAULTS.connect());
        assertThat(clientEvents.names()).last().isEqualTo("unreachable TIMED_OUT");
        assertThat(serverDevice.linkState()).isEqualTo(LinkState.DOWN);
        assertThat(core.deviceEvents()).containsExactly("linkChanged");
    }

    @Test
    void anAddressOfAnotherNetworkCannotBeResolved() throws Exception {
        core.resolve(clientDevice, new InetSocketAddress(Core.address("192.0.2.1"), 1), clientEvents);
        core.upcalls().runAll();
        assertThat(clientEvents.names()).containsExactly("addressError NETWORK_UNREACHABLE");
        assertThat(clientDevice.reaches(Core.address("192.0.2.1"))).isFalse();
        assertThat(clientDevice.reaches(Core.address("198.19.0.1"))).isTrue();
        assertThat(clientDevice.reaches(Core.address("100::7"))).isTrue();
        assertThat(clientDevice.reaches(Core.address("100:0:0:1::7"))).isFalse();
    }

    @Test
    void aSourceHasToBeAnAddressOfTheDevice() {
        InetSocketAddress foreign = new InetSocketAddress(Core.address("198.18.0.77"), 1);
        assertThatThrownBy(() -> clientDevice.resolve(
                        PortSpace.TCP,
                        foreign,
                        Core.at(serverDevice),
                        Duration.ofSeconds(1),
                        EndpointOptions.DEFAULTS,
                        clientEvents))
                .hasMessageContaining("198.18.0.77")
                .isInstanceOfSatisfying(
                        RdmaException.class, e -> assertThat(e.error()).isEqualTo(RdmaError.ADDRESS_NOT_AVAILABLE));
    }

    @Test
    void oneListenerPerAddressAndPortSpace() throws Exception {
        ProviderListener first = core.listen(serverDevice, requests);
        assertThatThrownBy(() -> core.listen(serverDevice, requests))
                .isInstanceOfSatisfying(
                        RdmaException.class, e -> assertThat(e.error()).isEqualTo(RdmaError.ADDRESS_IN_USE));
        serverDevice.listen(PortSpace.IB, Core.at(serverDevice), 1, EndpointOptions.DEFAULTS, requests);
        assertThat(first.localAddress()).isEqualTo(Core.at(serverDevice));
        first.close();
        core.listen(serverDevice, requests);
    }

    @Test
    void aListenerThatClosesRefusesWhatItHasNotTold() throws Exception {
        ProviderListener listener = core.listen(serverDevice, requests);
        Endpoint endpoint = resolve();
        client.createQueuePair();
        endpoint.connect(Core.parameters());
        listener.close();
        core.upcalls().runAll();
        assertThat(requests.count()).isZero();
        assertThat(clientEvents.names()).last().isEqualTo("rejected NO_LISTENER");
    }

    @Test
    void whatWasTakenOutlivesTheListener() throws Exception {
        ProviderListener listener = core.listen(serverDevice, requests);
        connect();
        listener.close();
        take();
        server.endpoint().accept(Core.parameters());
        core.upcalls().runAll();
        assertThat(clientEvents.names()).last().isEqualTo("established");
    }

    @Test
    void acceptAndRejectFailWhenThePeerHasGone() throws Exception {
        core.listen(serverDevice, requests);
        Endpoint endpoint = connect();
        take();
        client.queuePair().close();
        endpoint.close();
        core.upcalls().runAll();
        assertThat(server.events().names()).containsExactly("connectError CONNECTION_RESET");
        assertThatThrownBy(() -> server.endpoint().accept(Core.parameters()))
                .isInstanceOfSatisfying(
                        RdmaException.class, e -> assertThat(e.error()).isEqualTo(RdmaError.CONNECTION_RESET));
        assertThatThrownBy(() -> server.endpoint().reject(ByteBuffer.allocate(0)))
                .isInstanceOf(RdmaException.class);
    }

    @Test
    void anEndpointThatClosesAfterTheAnswerBreaksTheHandshake() throws Exception {
        core.listen(serverDevice, requests);
        Endpoint endpoint = resolve();
        endpoint.connect(Core.parameters());
        core.upcalls().runAll();
        take();
        server.endpoint().accept(Core.parameters());
        endpoint.close();
        core.upcalls().runAll();
        assertThat(server.events().names()).containsExactly("connectError CONNECTION_RESET");
        assertThat(server.queuePair().state()).isEqualTo(QueuePairState.ERROR);
    }

    @Test
    void aQueuePairThatHasFailedBreaksTheHandshake() throws Exception {
        core.listen(serverDevice, requests);
        connect();
        client.queuePair().fail();
        take();
        server.endpoint().accept(Core.parameters());
        core.upcalls().runAll();
        assertThat(clientEvents.names()).last().isEqualTo("connectError CONNECTION_ABORTED");
        assertThat(server.events().names()).containsExactly("connectError CONNECTION_ABORTED");
    }

    @Test
    void disconnectEndsBothSides() throws Exception {
        Pair pair = Pair.connected();
        pair.client().endpoint().disconnect();
        assertThat(pair.client().queuePair().state()).isEqualTo(QueuePairState.ERROR);
        assertThat(pair.server().queuePair().state()).isEqualTo(QueuePairState.ERROR);
        pair.server().endpoint().disconnect();
        pair.core().upcalls().runAll();
        assertThat(pair.client().events().names()).last().isEqualTo("disconnected SUCCESS");
        assertThat(pair.server().events().names()).containsExactly("established", "disconnected SUCCESS");
        pair.client().endpoint().disconnect();
        pair.core().upcalls().runAll();
        assertThat(pair.client().events().names())
                .filteredOn(name -> name.startsWith("disc"))
                .hasSize(1);
        assertThat(pair.core().timer().size()).isZero();
    }

    @Test
    void disconnectLetsWhatWasPostedBeBeCarriedOut() throws Exception {
        Pair pair = Pair.connected();
        Side sender = pair.client();
        sender.queuePair().postSend(Work.send(1).segment(sender.region(), 0, 8));
        sender.endpoint().disconnect();
        sender.queuePair().postSend(Work.send(2).segment(sender.region(), 0, 8));
        pair.core().upcalls().runAll();
        assertThat(sender.events().names()).last().isEqualTo("established");

        pair.server()
                .queuePair()
                .postReceive(Work.receive(3).segment(pair.server().region(), 0, 8));
        pair.core().upcalls().runAll();
        assertThat(sender.events().names()).last().isEqualTo("disconnected SUCCESS");
        assertThat(sender.sent()).containsExactly("1 SUCCESS SEND", "2 FLUSHED SEND");
        assertThat(pair.server().received()).containsExactly("3 SUCCESS RECEIVE");
    }

    @Test
    void disconnectDoesNotWaitForEver() throws Exception {
        Pair pair = Pair.connected();
        Side sender = pair.client();
        sender.queuePair().postSend(Work.send(1).segment(sender.region(), 0, 8));
        sender.endpoint().disconnect();
        pair.core().pass(Timeouts.DEFAULTS.disconnect());
        assertThat(sender.events().names()).last().isEqualTo("disconnected SUCCESS");
        assertThat(sender.sent()).containsExactly("1 FLUSHED SEND");
    }

    @Test
    void disconnectWithoutAConnectionFails() throws Exception {
        Endpoint endpoint = resolve();
        assertThatThrownBy(endpoint::disconnect).isInstanceOfSatisfying(RdmaException.class, e -> assertThat(e.error())
                .isEqualTo(RdmaError.NOT_CONNECTED));
    }

    @Test
    void disconnectDuringTheHandshakeEndsIt() throws Exception {
        core.listen(serverDevice, requests);
        Endpoint endpoint = connect();
        take();
        endpoint.disconnect();
        core.upcalls().runAll();
        assertThat(clientEvents.names()).last().isEqualTo("disconnected SUCCESS");
        assertThat(server.events().names()).containsExactly("connectError CONNECTION_RESET");
    }

    @Test
    void closeTellsThePeerAndMakesNoUpcallAnyMore() throws Exception {
        Pair pair = Pair.connected();
        int before = pair.client().events().names().size();
        pair.server().endpoint().disconnect();
        pair.client().close();
        pair.core().upcalls().runAll();
        assertThat(pair.client().events().names()).hasSize(before);
        assertThat(pair.server().events().names()).last().isEqualTo("disconnected SUCCESS");
    }

    @Test
    void closingAConnectedQueuePairEndsTheConnection() throws Exception {
        Pair pair = Pair.connected();
        pair.client().queuePair().close();
        pair.core().upcalls().runAll();
        assertThat(pair.server().events().names()).last().isEqualTo("disconnected SUCCESS");
        assertThat(pair.server().queuePair().state()).isEqualTo(QueuePairState.ERROR);
    }

    @Test
    void tellsOfTheEndOfTimeWait() throws Exception {
        DeviceConfiguration waiting = DeviceConfiguration.of("waiting", Core.address("100::3"))
                .withTimeouts(new Timeouts(
                        Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ofMillis(1), Duration.ofSeconds(9)));
        Pair pair = Pair.connected(core, new Side(core.add(waiting)), server, Core.parameters());
        pair.client().endpoint().disconnect();
        core.pass(Duration.ofSeconds(8));
        assertThat(pair.client().events().names()).last().isEqualTo("disconnected SUCCESS");
        core.pass(Duration.ofSeconds(1));
        assertThat(pair.client().events().names()).last().isEqualTo("timewaitExit");
        assertThat(pair.server().events().names()).last().isEqualTo("disconnected SUCCESS");
    }

    @Test
    void connectsADeviceWithItself() throws Exception {
        Pair pair = Pair.connected(core, new Side(serverDevice), server, Core.parameters());
        assertThat(pair.client().queuePair().number())
                .isNotEqualTo(pair.server().queuePair().number());
        assertThat(pair.client().events().names()).last().isEqualTo("established");
    }

    @Test
    void anEndpointHasOneQueuePairAtATime() throws Exception {
        Endpoint endpoint = resolve();
        client.createQueuePair();
        assertThatThrownBy(client::createQueuePair)
                .isInstanceOfSatisfying(
                        RdmaException.class, e -> assertThat(e.error()).isEqualTo(RdmaError.BUSY));
        client.queuePair().close();
        client.createQueuePair();
        assertThat(endpoint.localAddress().getAddress()).isEqualTo(Core.address("198.18.0.1"));
    }

    @Test
    void aDeviceHasSoManyQueuePairsAndNoMore() throws Exception {
        DeviceConfiguration small = DeviceConfiguration.of("small", Core.address("100::3"));
        ProviderDevice device = core.add(small.withAttributes(
                small.attributes().withLimits(new DeviceLimits(1, 16, 4, 16, 1024, 1024, 0, 1, 1))));
        Side first = new Side(device);
        first.endpoint(core.resolve(device, Core.at(serverDevice), new Events()), new Events());
        first.createQueuePair(Core.sizes());
        Side second = new Side(device);
        second.endpoint(core.resolve(device, Core.at(serverDevice), new Events()), new Events());
        assertThatThrownBy(() -> second.createQueuePair(Core.sizes()))
                .isInstanceOfSatisfying(
                        RdmaException.class, e -> assertThat(e.error()).isEqualTo(RdmaError.NO_MEMORY));
        first.queuePair().close();
        second.createQueuePair(Core.sizes());
    }
}
