package org.verbena.rdma.provider.iwarp.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.verbena.rdma.QueuePairState;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.cm.ConnectionParameters;
import org.verbena.rdma.cm.RejectReason;
import org.verbena.rdma.provider.iwarp.mpa.CrcPolicy;
import org.verbena.rdma.provider.iwarp.peer.Events;
import org.verbena.rdma.provider.iwarp.peer.Pair;
import org.verbena.rdma.provider.iwarp.peer.RawPeer;
import org.verbena.rdma.provider.iwarp.peer.Request;
import org.verbena.rdma.provider.iwarp.peer.Settings;
import org.verbena.rdma.provider.iwarp.peer.Side;
import org.verbena.rdma.provider.iwarp.peer.TestDevice;
import org.verbena.rdma.spi.Endpoint;
import org.verbena.rdma.spi.ProviderListener;

/** The set-up of connections: Java to Java, and with peers that say what a test wants. */
class HandshakeTest {
    private TestDevice device;
    private TestDevice other;
    private ProviderListener listener;
    private ServerSocket server;
    private RawPeer peer;

    private void open(Settings settings) throws Exception {
        device = new TestDevice(settings);
    }

    private void listen(Settings settings) throws Exception {
        open(settings);
        listener = device.listen("127.0.0.1", 0);
    }

    private InetSocketAddress rawListener() throws Exception {
        server = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
        return (InetSocketAddress) server.getLocalSocketAddress();
    }

    @AfterEach
    void close() throws Exception {
        if (peer != null) {
            peer.close();
        }
        if (server != null) {
            server.close();
        }
        if (listener != null) {
            listener.close();
        }
        if (other != null) {
            other.close();
        }
        if (device != null) {
            device.close();
        }
    }

    // Java to Java

    static Stream<Arguments> matrix() {
        return Stream.of(1, 2).flatMap(active -> Stream.of(1, 2).flatMap(passive -> Stream.of(CrcPolicy.values())
                .flatMap(crc -> Stream.of(CrcPolicy.values()).flatMap(otherCrc -> Stream.of(true, false)
                        .map(peerToPeer -> Arguments.of(active, passive, crc, otherCrc, peerToPeer))))));
    }

    @ParameterizedTest(name = "revision {0} to {1}, CRC {2} to {3}, peer-to-peer {4}: connects and carries data")
    @MethodSource("matrix")
    void connects(int active, int passive, CrcPolicy crc, CrcPolicy otherCrc, boolean peerToPeer) throws Exception {
        Settings mine = Settings.DEFAULTS.withRevision(active).withCrc(crc);
        open(peerToPeer ? mine.withPeerToPeer() : mine);
        other = new TestDevice(Settings.DEFAULTS.withRevision(passive).withCrc(otherCrc));
        listener = other.listen("127.0.0.1", 0);

        Side client = device.resolved(listener.localAddress(), Side.Sizes.DEFAULTS);
        client.endpoint().connect(TestDevice.parameters("hello"));
        TestDevice.Asked asked = other.nextRequest();
        assertThat(text(asked.parameters().privateData())).isEqualTo("hello");
        boolean enhanced = active == 2 && passive == 2;
        assertThat(asked.parameters().responderResources()).isEqualTo(enhanced ? 16 : ConnectionParameters.UNKNOWN);
        assertThat(asked.parameters().initiatorDepth()).isEqualTo(enhanced ? 16 : ConnectionParameters.UNKNOWN);
        Side serving = new Side(other, asked.endpoint(), asked.events(), Side.Sizes.DEFAULTS);
        serving.receive(new Request(1));
        serving.endpoint().accept(TestDevice.parameters("welcome").withResources(8, 4));
        Events.Event established = client.events().next("established");
        assertThat(new String(established.data())).isEqualTo("welcome");
        assertThat(established.parameters().responderResources())
                .isEqualTo(enhanced ? 4 : ConnectionParameters.UNKNOWN);
        assertThat(established.parameters().initiatorDepth()).isEqualTo(enhanced ? 8 : ConnectionParameters.UNKNOWN);
        assertThat(client.queuePair().state()).isEqualTo(QueuePairState.READY);
        assertThat(serving.events().next("established").data()).isEmpty();
        client.send(new Request(2));
        assertThat(serving.receives().next().id()).isEqualTo(1);
        client.close();
        serving.close();
    }

    private static void failedHandshakes(TestDevice of, long count) {
        await().atMost(20, TimeUnit.SECONDS).untilAsserted(() -> {
            LongAdder failed = new LongAdder();
            of.device().readCounters((name, value) -> failed.add(name.equals("errors.handshake") ? value : 0));
            assertThat(failed.sum()).isEqualTo(count);
        });
    }

    private static String text(ByteBuffer data) {
        byte[] bytes = new byte[data.remaining()];
        data.get(bytes);
        return new String(bytes);
    }

    @ParameterizedTest(name = "{0} bytes of private data reach the other side in request, reply and rejection")
    @ValueSource(ints = {0, 1, 251, 252, 255, 256, 507, 508})
    void privateData(int length) throws Exception {
        listen(Settings.DEFAULTS);
        byte[] data = new byte[length];
        Arrays.fill(data, (byte) 0xA5);
        ConnectionParameters parameters = ConnectionParameters.defaults().withPrivateData(ByteBuffer.wrap(data));

        Side client = device.connecting(listener.localAddress(), parameters);
        TestDevice.Asked asked = device.nextRequest();
        assertThat(asked.parameters().privateData().remaining()).isEqualTo(length);
        Side serving = new Side(device, asked.endpoint(), asked.events(), Side.Sizes.DEFAULTS);
        serving.endpoint().accept(asked.parameters().withPrivateData(ByteBuffer.wrap(data)));
        assertThat(client.events().next("established").data()).isEqualTo(data);
        client.close();
        serving.close();

        Side second = device.connecting(listener.localAddress(), parameters);
        TestDevice.Asked again = device.nextRequest();
        again.endpoint().reject(ByteBuffer.wrap(data));
        Events.Event rejected = second.events().next("rejected");
        assertThat(rejected.reason()).isEqualTo(RejectReason.CONSUMER);
        assertThat(rejected.data()).isEqualTo(data);
        assertThat(second.queuePair().state()).isEqualTo(QueuePairState.ERROR);
        again.endpoint().close();
        second.close();
    }

    @Test
    @DisplayName("a request that core does not take is refused")
    void notTaken() throws Exception {
        listen(Settings.DEFAULTS);
        device.takesRequests(false);

        try (Side client = device.connecting(listener.localAddress(), TestDevice.parameters("hello"))) {
            assertThat(client.events().next("rejected").reason()).isEqualTo(RejectReason.CONSUMER);
        }
    }

    @Test
    @DisplayName("an endpoint closed with its request unanswered refuses the peer")
    void closedUnanswered() throws Exception {
        listen(Settings.DEFAULTS);

        try (Side client = device.connecting(listener.localAddress(), TestDevice.parameters("hello"))) {
            device.nextRequest().endpoint().close();
            assertThat(client.events().next("rejected").reason()).isEqualTo(RejectReason.CONSUMER);
        }
    }

    @Test
    @DisplayName("nobody listening is a rejection with NO_LISTENER")
    void nobodyListens() throws Exception {
        open(Settings.DEFAULTS);
        InetSocketAddress free = rawListener();
        server.close();

        try (Side client = device.connecting(free, TestDevice.parameters("hello"))) {
            assertThat(client.events().next("rejected").reason()).isEqualTo(RejectReason.NO_LISTENER);
            assertThat(client.queuePair().state()).isEqualTo(QueuePairState.ERROR);
        }
    }

    @Test
    @DisplayName("without a queue pair the answer is a connect response, and establish ends the set-up")
    void connectResponse() throws Exception {
        listen(Settings.DEFAULTS);
        Events events = new Events();
        Endpoint endpoint = device.resolve(listener.localAddress(), events);
        Side client = new Side(device, endpoint, events, Side.Sizes.DEFAULTS, false);
        endpoint.connect(TestDevice.parameters("hello"));
        TestDevice.Asked asked = device.nextRequest();
        Side serving = new Side(device, asked.endpoint(), asked.events(), Side.Sizes.DEFAULTS);
        serving.receive(new Request(1));
        serving.endpoint().accept(asked.parameters());

        events.next("connectResponse");
        client.createQueuePair(Side.Sizes.DEFAULTS);
        assertThatThrownBy(() -> client.send(new Request(2))).isInstanceOf(IllegalStateException.class);
        endpoint.establish();
        client.send(new Request(2));

        assertThat(serving.receives().next().id()).isEqualTo(1);
        assertThat(events.isEmpty()).isTrue();
        client.close();
        serving.close();
    }

    @Test
    @DisplayName("establish throws when there is nothing to establish")
    void establishTooEarly() throws Exception {
        listen(Settings.DEFAULTS);
        try (Side client = device.resolved(listener.localAddress(), Side.Sizes.DEFAULTS)) {
            assertThatThrownBy(() -> client.endpoint().establish()).isInstanceOf(RdmaException.class);
        }
    }

    @Test
    @DisplayName("a queue pair that has failed before the reply is a connect error")
    void failedQueuePair() throws Exception {
        listen(Settings.DEFAULTS);
        Side client = device.connecting(listener.localAddress(), TestDevice.parameters("hello"));
        TestDevice.Asked asked = device.nextRequest();
        Side serving = new Side(device, asked.endpoint(), asked.events(), Side.Sizes.DEFAULTS);
        client.queuePair().fail();
        serving.queuePair().fail();
        // Failing is carried out on the loop of the client, which might otherwise see the reply first.
        await().untilAsserted(() -> assertThat(client.queuePair().state()).isEqualTo(QueuePairState.ERROR));

        serving.endpoint().accept(asked.parameters());

        assertThat(serving.events().next("connectError").error()).isEqualTo(RdmaError.CONNECTION_ABORTED);
        assertThat(client.events().next("connectError").error()).isEqualTo(RdmaError.CONNECTION_ABORTED);
        client.close();
        serving.close();
    }

    @Test
    @DisplayName("two listeners cannot have one port; after a close the port is free at once")
    void portInUse() throws Exception {
        listen(Settings.DEFAULTS);
        int port = listener.localAddress().getPort();

        assertThatThrownBy(() -> device.listen("127.0.0.1", port))
                .isInstanceOfSatisfying(
                        RdmaException.class, e -> assertThat(e.error()).isEqualTo(RdmaError.ADDRESS_IN_USE));
        for (int i = 0; i < 20; i++) {
            listener.close();
            listener = device.listen("127.0.0.1", port);
        }
    }

    @Test
    @DisplayName("listening at an address that the machine does not have fails with ADDRESS_NOT_AVAILABLE")
    void foreignAddress() throws Exception {
        open(Settings.DEFAULTS);

        assertThatThrownBy(() -> device.listen("192.0.2.1", 0))
                .isInstanceOfSatisfying(
                        RdmaException.class, e -> assertThat(e.error()).isEqualTo(RdmaError.ADDRESS_NOT_AVAILABLE));
    }

    @Test
    @DisplayName("the source port is the one that was bound, else TCP's")
    void sourcePort() throws Exception {
        try (Pair pair = Pair.connect(Settings.DEFAULTS)) {
            InetSocketAddress local = pair.client().endpoint().localAddress();
            assertThat(local.getPort()).isNotZero();
            assertThat(pair.server().endpoint().peerAddress()).isEqualTo(local);
            assertThat(pair.server().endpoint().localAddress())
                    .isEqualTo(pair.client().endpoint().peerAddress());
        }
    }

    @Test
    @DisplayName("a bound source port is used, and used again at once")
    void boundSourcePort() throws Exception {
        listen(Settings.DEFAULTS);
        int port = rawListener().getPort();
        server.close();
        for (int i = 0; i < 3; i++) {
            Events events = new Events();
            Endpoint endpoint = device.resolve(port, listener.localAddress(), events);
            try (Side client = new Side(device, endpoint, events, Side.Sizes.DEFAULTS)) {
                endpoint.connect(TestDevice.parameters("hello"));
                TestDevice.Asked asked = device.nextRequest();
                assertThat(asked.endpoint().peerAddress().getPort()).isEqualTo(port);
                try (Side serving = new Side(device, asked.endpoint(), asked.events(), Side.Sizes.DEFAULTS)) {
                    serving.endpoint().accept(asked.parameters());
                    client.events().next("established");
                    endpoint.disconnect();
                    client.events().next("disconnected");
                    serving.events().next("established");
                    serving.events().next("disconnected");
                }
            }
        }
    }

    @Test
    @DisplayName("a port that TCP connects to itself has no listener")
    void selfConnect() throws Exception {
        open(Settings.DEFAULTS);
        InetSocketAddress free = rawListener();
        server.close();
        Events events = new Events();
        Endpoint endpoint = device.resolve(free.getPort(), free, events);
        try (Side client = new Side(device, endpoint, events, Side.Sizes.DEFAULTS)) {
            endpoint.connect(TestDevice.parameters("hello"));
            assertThat(client.events().next("rejected").reason()).isEqualTo(RejectReason.NO_LISTENER);
        }
    }

    // A peer that connects to this side

    private RawPeer rawClient() throws Exception {
        peer = RawPeer.connect(listener.localAddress());
        return peer;
    }

    static Stream<Arguments> garbage() {
        byte[] valid = RawPeer.request(0x1002, new byte[] {0, 1, 0, 1});
        byte[] wrongKey = valid.clone();
        wrongKey[15] = 'f';
        return Stream.of(
                Arguments.of("an HTTP request", "GET / HTTP/1.1\r\nHost: example\r\n\r\n".getBytes()),
                Arguments.of("zeros", new byte[64]),
                Arguments.of("a TLS hello", new byte[] {22, 3, 1, 2, 0, 1, 0, 1, (byte) 0xFC, 3, 3}),
                Arguments.of("a wrong last byte of the key", wrongKey),
                Arguments.of("a reply", RawPeer.reply(0x1002, new byte[] {0, 1, 0, 1})),
                Arguments.of("a request with the reject bit", RawPeer.request(0x3002, new byte[] {0, 1, 0, 1})),
                Arguments.of("revision 0", RawPeer.request(0, new byte[0])),
                Arguments.of("revision 3", RawPeer.request(0x1003, new byte[] {0, 1, 0, 1})),
                Arguments.of("revision 255", RawPeer.request(0x00FF, new byte[0])),
                Arguments.of("enhanced without parameters", RawPeer.request(0x1002, new byte[3])),
                Arguments.of("513 bytes of private data", RawPeer.request(0x1002, new byte[513])),
                Arguments.of(
                        "65535 bytes of private data", Arrays.copyOf(RawPeer.request(0x1002, new byte[65_535]), 20)));
    }

    @ParameterizedTest(name = "{0} is no request: the connection is closed and nobody is asked")
    @MethodSource("garbage")
    void garbageRequest(String what, byte[] bytes) throws Exception {
        listen(Settings.DEFAULTS);
        rawClient().write(bytes);

        peer.readToEnd();

        assertThat(device.hasRequest()).isFalse();
        theListenerServes();
    }

    private void theListenerServes() throws Exception {
        try (Side client = device.connecting(listener.localAddress(), TestDevice.parameters("hello"))) {
            TestDevice.Asked asked = device.nextRequest();
            asked.endpoint().reject(ByteBuffer.allocate(0));
            client.events().next("rejected");
            asked.endpoint().close();
        }
    }

    @ParameterizedTest(name = "a peer that closes after {0} bytes of its request leaves nothing behind")
    @ValueSource(ints = {0, 1, 15, 16, 19, 20, 23})
    void closesEarly(int count) throws Exception {
        listen(Settings.DEFAULTS);
        rawClient().write(Arrays.copyOf(RawPeer.request(0x1002, new byte[] {0, 1, 0, 1}), count));
        peer.close();

        theListenerServes();
        assertThat(device.hasRequest()).isFalse();
    }

    @Test
    @DisplayName("a request that comes byte by byte is taken")
    void drip() throws Exception {
        listen(Settings.DEFAULTS);
        rawClient();
        for (byte b : RawPeer.request(0x1002, new byte[] {0, 1, 0, 1, 'x'})) {
            peer.write(new byte[] {b});
        }

        TestDevice.Asked asked = device.nextRequest();
        assertThat(text(asked.parameters().privateData())).isEqualTo("x");
        asked.endpoint().close();
    }

    @Test
    @DisplayName("a peer that never completes its request is dropped in time, however it drips")
    void slowDrip() throws Exception {
        listen(Settings.DEFAULTS.withHandshakeTimeouts(300));
        rawClient();
        byte[] request = RawPeer.request(0x1002, new byte[508]);

        dripUntilDropped(request);

        assertThat(device.hasRequest()).isFalse();
        failedHandshakes(device, 1);
        theListenerServes();
    }

    /** Sends a byte now and then, often enough that a timer that each byte starts anew would never go off. */
    private void dripUntilDropped(byte[] bytes) throws Exception {
        CompletableFuture<Void> dropped = CompletableFuture.runAsync(() -> {
            try {
                peer.readToEnd();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        for (int i = 0; i < bytes.length - 1; i++) {
            try {
                peer.write(new byte[] {bytes[i]});
                dropped.get(20, TimeUnit.MILLISECONDS);
                return;
            } catch (TimeoutException e) {
                // It listens still: the next byte.
            } catch (IOException e) {
                dropped.get(20, TimeUnit.SECONDS);
                return;
            }
        }
        throw new AssertionError("never dropped");
    }

    @Test
    @DisplayName("peers that connect and say nothing do not keep out one that speaks")
    void flood() throws Exception {
        listen(Settings.DEFAULTS.withMaxHandshakes(4));
        RawPeer[] silent = new RawPeer[40];
        for (int i = 0; i < silent.length; i++) {
            silent[i] = RawPeer.connect(listener.localAddress());
        }

        theListenerServes();

        silent[0].readToEnd();
        for (RawPeer one : silent) {
            one.close();
        }
    }

    @Test
    @DisplayName("a peer may ask for markers; this side does not ask for them")
    void markers() throws Exception {
        listen(Settings.DEFAULTS);
        rawClient().write(RawPeer.request(0x9002, new byte[] {0, 1, 0, 1}));
        TestDevice.Asked asked = device.nextRequest();
        try (Side serving = new Side(device, asked.endpoint(), asked.events(), Side.Sizes.DEFAULTS)) {
            serving.endpoint().accept(asked.parameters());

            RawPeer.Setup reply = peer.readSetup();
            assertThat(reply.key()).isEqualTo("MPA ID Rep Frame");
            assertThat(reply.flags() & 0xA000).isZero();
        }
    }

    @Test
    @DisplayName("a peer that goes before the answer: accept throws, and the id can be closed")
    void goesBeforeAccept() throws Exception {
        listen(Settings.DEFAULTS);
        rawClient().write(RawPeer.request(0x1002, new byte[] {0, 1, 0, 1}));
        TestDevice.Asked asked = device.nextRequest();
        Side serving = new Side(device, asked.endpoint(), asked.events(), Side.Sizes.DEFAULTS);
        peer.close();

        await().untilAsserted(() -> assertThat(serving.queuePair().state()).isEqualTo(QueuePairState.ERROR));
        assertThatThrownBy(() -> serving.endpoint().accept(asked.parameters()))
                .isInstanceOfSatisfying(
                        RdmaException.class, e -> assertThat(e.error()).isEqualTo(RdmaError.CONNECTION_RESET));
        serving.close();
    }

    @Test
    @DisplayName("a peer that sends frames before the answer is dropped")
    void speaksTooEarly() throws Exception {
        listen(Settings.DEFAULTS);
        rawClient().write(RawPeer.request(0x1002, new byte[] {0, 1, 0, 1}));
        TestDevice.Asked asked = device.nextRequest();
        peer.send(RawPeer.send(1, new byte[4]));

        peer.readToEnd();
        failedHandshakes(device, 1);

        asked.endpoint().close();
    }

    @ParameterizedTest(name = "a request with words {0} {1} gets the reply {2} {3}")
    @CsvSource({
        // IRD and ORD, swapped on the way: here 8 reads are served and 4 started, or what the peer serves.
        "0004,0001,0008,0004",
        "0005,0001,0008,0004",
        "0003,0001,0008,0003",
        "0000,0001,0008,0000",
        // not negotiated
        "3fff,3fff,0008,0004",
        // peer-to-peer: write before read before send
        "8004,c001,8008,8004",
        "c004,c001,8008,8004",
        "c004,4001,8008,4004",
        "c004,0001,c008,0004",
        // none offered: told one, so that the peer can end the connection (RFC 6581, section 9.2)
        "8004,0001,8008,8004"
    })
    void replies(String first, String second, String replyFirst, String replySecond) throws Exception {
        listen(Settings.DEFAULTS.withCrc(CrcPolicy.OFF));
        byte[] words = ByteBuffer.allocate(4)
                .putShort((short) Integer.parseInt(first, 16))
                .putShort((short) Integer.parseInt(second, 16))
                .array();
        rawClient().write(RawPeer.request(0x1002, words));
        TestDevice.Asked asked = device.nextRequest();
        try (Side serving = new Side(device, asked.endpoint(), asked.events(), Side.Sizes.DEFAULTS)) {
            serving.endpoint().accept(asked.parameters().withResources(8, 4));

            RawPeer.Setup reply = peer.readSetup();
            assertThat(reply.flags()).isEqualTo(0x1002);
            assertThat(Integer.toHexString(reply.word(0) | 0x10000).substring(1))
                    .isEqualTo(replyFirst);
            assertThat(Integer.toHexString(reply.word(1) | 0x10000).substring(1))
                    .isEqualTo(replySecond);
        }
    }

    @Test
    @DisplayName("without markers a peer that asks for them is refused")
    void noMarkers() throws Exception {
        listen(Settings.DEFAULTS.withoutMarkers());
        rawClient().write(RawPeer.request(0x9002, new byte[] {0, 1, 0, 1}));

        assertThat(peer.readSetup().flags() & 0x2000).isNotZero();
        assertThat(device.hasRequest()).isFalse();
    }

    @ParameterizedTest(name = "the ready-to-receive message {0} establishes the accepting side, which then sends first")
    @CsvSource({"WRITE,8001,8001", "READ,8001,4001", "SEND,c001,0001"})
    void readyToReceive(String form, String first, String second) throws Exception {
        listen(Settings.DEFAULTS.withCrc(CrcPolicy.OFF));
        byte[] words = ByteBuffer.allocate(4)
                .putShort((short) Integer.parseInt(first, 16))
                .putShort((short) Integer.parseInt(second, 16))
                .array();
        rawClient().write(RawPeer.request(0x1002, words));
        TestDevice.Asked asked = device.nextRequest();
        Side serving = new Side(device, asked.endpoint(), asked.events(), Side.Sizes.DEFAULTS);
        serving.receive(new Request(1));
        serving.endpoint().accept(asked.parameters());
        peer.readSetup();
        assertThat(serving.events().isEmpty()).isTrue();

        switch (form) {
            case "WRITE" -> peer.send(RawPeer.write(1, 0, new byte[0]));
            case "READ" -> peer.send(RawPeer.readRequest(1, 5, 6, 0, 0, 0));
            default -> peer.send(RawPeer.send(1, new byte[0]));
        }

        serving.events().next("established");
        if (form.equals("READ")) {
            assertThat(peer.read()).isEqualTo(RawPeer.readResponse(5, 6, new byte[0], true));
        }
        serving.send(new Request(2));
        assertThat(peer.read()).isEqualTo(RawPeer.send(1, new byte[0]));
        // The receive is still there, and the next send has the number that follows.
        peer.send(RawPeer.send(form.equals("SEND") ? 2 : 1, new byte[0]));
        assertThat(serving.receives().next().id()).isEqualTo(1);
        serving.close();
    }

    @Test
    @DisplayName("a peer that does not send its ready-to-receive message in time is a connect error")
    void neverReady() throws Exception {
        listen(Settings.DEFAULTS.withHandshakeTimeouts(2_000));
        rawClient().write(RawPeer.request(0x1002, new byte[] {(byte) 0x80, 1, (byte) 0x80, 1}));
        TestDevice.Asked asked = device.nextRequest();
        try (Side serving = new Side(device, asked.endpoint(), asked.events(), Side.Sizes.DEFAULTS)) {
            serving.endpoint().accept(asked.parameters());
            assertThat(serving.events().next("connectError").error()).isEqualTo(RdmaError.TIMED_OUT);
            assertThat(serving.queuePair().state()).isEqualTo(QueuePairState.ERROR);
            failedHandshakes(device, 1);
        }
    }

    @ParameterizedTest(name = "a peer that {0} instead of its ready-to-receive message is a connect error, and counted")
    @ValueSource(strings = {"closes", "talks nonsense"})
    void endsBeforeItIsReady(String how) throws Exception {
        listen(Settings.DEFAULTS.withCrc(CrcPolicy.OFF));
        rawClient().write(RawPeer.request(0x1002, new byte[] {(byte) 0x80, 1, (byte) 0x80, 1}));
        TestDevice.Asked asked = device.nextRequest();
        try (Side serving = new Side(device, asked.endpoint(), asked.events(), Side.Sizes.DEFAULTS)) {
            serving.endpoint().accept(asked.parameters());
            peer.readSetup();
            if (how.equals("closes")) {
                peer.close();
            } else {
                peer.write(new byte[64]);
            }
            assertThat(serving.events().next("connectError").error()).isNotEqualTo(RdmaError.SUCCESS);
            failedHandshakes(device, 1);
        }
    }

    @Test
    @DisplayName("the accepting side sends nothing before the first frame of the connecting side")
    void silentUntilFirstFrame() throws Exception {
        listen(Settings.DEFAULTS.withCrc(CrcPolicy.OFF));
        rawClient().write(RawPeer.request(0x1002, new byte[] {0, 1, 0, 1}));
        TestDevice.Asked asked = device.nextRequest();
        Side serving = new Side(device, asked.endpoint(), asked.events(), Side.Sizes.DEFAULTS);
        serving.endpoint().accept(asked.parameters());
        serving.events().next("established");
        peer.readSetup();
        serving.send(new Request(2));
        peer.socket().setSoTimeout(200);
        assertThatThrownBy(() -> peer.read()).isInstanceOf(SocketTimeoutException.class);
        peer.socket().setSoTimeout(20_000);

        peer.send(RawPeer.write(0, 0, new byte[0]));

        assertThat(peer.read()).isEqualTo(RawPeer.send(1, new byte[0]));
        serving.close();
    }

    // A peer that this side connects to

    private Side connectToRaw() throws Exception {
        Side client = device.connecting(rawListener(), TestDevice.parameters("hello"));
        peer = RawPeer.accept(server);
        return client;
    }

    static Stream<Arguments> garbageReplies() {
        return Stream.of(
                Arguments.of("text", "220 mail.example ESMTP\r\n".getBytes()),
                Arguments.of("a request", RawPeer.request(0x1002, new byte[] {0, 1, 0, 1})),
                Arguments.of("revision 0", RawPeer.reply(0, new byte[0])),
                Arguments.of("revision 3", RawPeer.reply(0x1003, new byte[] {0, 1, 0, 1})),
                Arguments.of("enhanced without parameters", RawPeer.reply(0x1002, new byte[2])),
                Arguments.of("600 bytes of private data", RawPeer.reply(0x1002, new byte[600])));
    }

    @ParameterizedTest(name = "{0} instead of a reply is a connect error")
    @MethodSource("garbageReplies")
    void garbageReply(String what, byte[] bytes) throws Exception {
        open(Settings.DEFAULTS);
        try (Side client = connectToRaw()) {
            peer.readSetup();
            peer.write(bytes);

            assertThat(client.events().next("connectError").error()).isEqualTo(RdmaError.PROTOCOL);
            assertThat(client.queuePair().state()).isEqualTo(QueuePairState.ERROR);
            peer.readToEnd();
        }
    }

    @Test
    @DisplayName("a peer that closes in the handshake is a connect error with CONNECTION_RESET")
    void closesInHandshake() throws Exception {
        open(Settings.DEFAULTS);
        try (Side client = connectToRaw()) {
            peer.readSetup();
            peer.write(Arrays.copyOf(RawPeer.reply(0x1002, new byte[] {0, 1, 0, 1}), 7));
            peer.close();

            assertThat(client.events().next("connectError").error()).isEqualTo(RdmaError.CONNECTION_RESET);
        }
    }

    @Test
    @DisplayName("a peer that closes without a word is asked again in revision 1")
    void secondChance() throws Exception {
        open(Settings.DEFAULTS);
        try (Side client = connectToRaw()) {
            assertThat(peer.readSetup().flags() & 0xFF).isEqualTo(2);
            peer.close();
            peer = RawPeer.accept(server);
            RawPeer.Setup second = peer.readSetup();
            assertThat(second.flags() & 0x10FF).isEqualTo(1);
            assertThat(second.privateData()).isEqualTo("hello".getBytes());
            peer.write(RawPeer.reply(0x4001, "yes".getBytes()));

            Events.Event established = client.events().next("established");
            assertThat(established.data()).isEqualTo("yes".getBytes());
            assertThat(established.parameters().initiatorDepth()).isEqualTo(ConnectionParameters.UNKNOWN);
        }
    }

    @Test
    @DisplayName("a peer that closes twice without a word is a connect error with CONNECTION_RESET")
    void noThirdChance() throws Exception {
        open(Settings.DEFAULTS);
        try (Side client = connectToRaw()) {
            peer.readSetup();
            peer.close();
            peer = RawPeer.accept(server);
            peer.readSetup();
            peer.close();

            assertThat(client.events().next("connectError").error()).isEqualTo(RdmaError.CONNECTION_RESET);
        }
    }

    @Test
    @DisplayName("a peer that does not answer is unreachable with TIMED_OUT")
    void noAnswer() throws Exception {
        open(Settings.DEFAULTS.withHandshakeTimeouts(300));
        try (Side client = connectToRaw()) {
            assertThat(client.events().next("unreachable").error()).isEqualTo(RdmaError.TIMED_OUT);
            assertThat(client.queuePair().state()).isEqualTo(QueuePairState.ERROR);
        }
    }

    @Test
    @DisplayName("a peer whose reply drips without end is unreachable with TIMED_OUT")
    void slowReply() throws Exception {
        open(Settings.DEFAULTS.withHandshakeTimeouts(300));
        try (Side client = connectToRaw()) {
            peer.readSetup();

            dripUntilDropped(RawPeer.reply(0x1002, new byte[508]));

            assertThat(client.events().next("unreachable").error()).isEqualTo(RdmaError.TIMED_OUT);
            assertThat(client.queuePair().state()).isEqualTo(QueuePairState.ERROR);
            assertThat(client.events().isEmpty()).isTrue();
            failedHandshakes(device, 1);
        }
    }

    @Test
    @DisplayName("required CRCs that the peer does not confirm are a connect error")
    void crcNotConfirmed() throws Exception {
        open(Settings.DEFAULTS.withCrc(CrcPolicy.REQUIRED));
        try (Side client = connectToRaw()) {
            peer.readSetup();
            peer.write(RawPeer.reply(0x1002, new byte[] {0, 1, 0, 1}));

            assertThat(client.events().next("connectError").error()).isEqualTo(RdmaError.PROTOCOL);
        }
    }

    @Test
    @DisplayName("a peer that wants to start more reads than the device serves gets Terminate 2/0/6")
    void insufficientIrd() throws Exception {
        open(Settings.DEFAULTS.withCrc(CrcPolicy.OFF).withMaxDepth(16));
        try (Side client = connectToRaw()) {
            peer.readSetup();
            peer.write(RawPeer.reply(0x1002, new byte[] {0, 1, 0, 17}));

            assertThat(peer.readTerminate().text()).isEqualTo("2/0/6");
            assertThat(client.events().next("connectError").error()).isEqualTo(RdmaError.PROTOCOL);
        }
    }

    @Test
    @DisplayName("a peer that takes none of the offered ready-to-receive messages gets Terminate 2/0/7")
    void noMatchingForm() throws Exception {
        open(Settings.DEFAULTS.withCrc(CrcPolicy.OFF).withPeerToPeer());
        try (Side client = connectToRaw()) {
            RawPeer.Setup request = peer.readSetup();
            assertThat(request.word(0)).isEqualTo(0xC010);
            assertThat(request.word(1)).isEqualTo(0xC010);
            peer.write(RawPeer.reply(0x1002, new byte[] {(byte) 0x80, 1, 0, 1}));

            assertThat(peer.readTerminate().text()).isEqualTo("2/0/7");
            assertThat(client.events().next("connectError").error()).isEqualTo(RdmaError.PROTOCOL);
        }
    }

    @ParameterizedTest(name = "as connecting side sends the ready-to-receive message {0} before all else")
    @CsvSource({"WRITE,8001,8001", "READ,8001,4001", "SEND,c001,0001"})
    void sendsReadyToReceive(String form, String first, String second) throws Exception {
        open(Settings.DEFAULTS.withCrc(CrcPolicy.OFF).withPeerToPeer());
        try (Side client = connectToRaw()) {
            peer.readSetup();
            peer.write(RawPeer.reply(
                    0x1002,
                    ByteBuffer.allocate(4)
                            .putShort((short) Integer.parseInt(first, 16))
                            .putShort((short) Integer.parseInt(second, 16))
                            .array()));
            client.events().next("established");
            client.send(new Request(2));

            byte[] ready = peer.read();
            assertThat(ready)
                    .isEqualTo(
                            switch (form) {
                                case "WRITE" -> RawPeer.write(0, 0, new byte[0]);
                                case "READ" -> RawPeer.readRequest(1, 0, 0, 0, 0, 0);
                                default -> RawPeer.send(1, new byte[0]);
                            });
            assertThat(peer.read()).isEqualTo(RawPeer.send(form.equals("SEND") ? 2 : 1, new byte[0]));
            if (form.equals("READ")) {
                peer.send(RawPeer.readResponse(0, 0, new byte[0], true));
            }
            client.receive(new Request(3));
            peer.send(RawPeer.send(1, new byte[0]));
            assertThat(client.receives().next().id()).isEqualTo(3);
        }
    }

    @Test
    @DisplayName("a frame right behind the reply is taken, before the connecting side has sent anything")
    void frameBehindReply() throws Exception {
        open(Settings.DEFAULTS.withCrc(CrcPolicy.OFF));
        try (Side client = connectToRaw()) {
            client.receive(new Request(3));
            peer.readSetup();
            byte[] reply = RawPeer.reply(0x1002, new byte[] {0, 1, 0, 1});
            byte[] write = peer.frame(RawPeer.write(0, 0, new byte[0]));
            byte[] send = peer.frame(RawPeer.send(1, new byte[0]));
            peer.write(ByteBuffer.allocate(reply.length + write.length + send.length)
                    .put(reply)
                    .put(write)
                    .put(send)
                    .array());

            client.events().next("established");
            assertThat(client.receives().next().id()).isEqualTo(3);
        }
    }

    @Test
    @DisplayName("a rejection's private data comes without the enhanced parameters")
    void rawRejection() throws Exception {
        open(Settings.DEFAULTS);
        try (Side client = connectToRaw()) {
            peer.readSetup();
            peer.write(RawPeer.reply(0x3002, new byte[] {0, 1, 0, 1, 'n', 'o'}));

            assertThat(client.events().next("rejected").data()).isEqualTo("no".getBytes());
        }
    }

    @Test
    @DisplayName("an endpoint closed while it connects makes no upcall any more")
    void closedWhileConnecting() throws Exception {
        open(Settings.DEFAULTS);
        Side client = connectToRaw();
        peer.readSetup();

        client.close();
        peer.readToEnd();

        assertThat(client.events().isEmpty()).isTrue();
    }
}
