package org.verbena.rdma.provider.loopback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.EnumSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.verbena.rdma.Access;
import org.verbena.rdma.QueuePairState;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.provider.loopback.fake.Completions;
import org.verbena.rdma.provider.loopback.fake.Core;
import org.verbena.rdma.provider.loopback.fake.Events;
import org.verbena.rdma.provider.loopback.fake.Pair;
import org.verbena.rdma.provider.loopback.fake.Side;
import org.verbena.rdma.provider.loopback.fake.Work;
import org.verbena.rdma.spi.CompletionSink;
import org.verbena.rdma.spi.ProviderMemoryRegion;
import org.verbena.rdma.spi.ProviderSharedReceiveQueue;

class SendReceiveTest {
    private final Pair pair = connected();
    private final Side client = pair.client();
    private final Side server = pair.server();

    private static Pair connected() {
        try {
            return Pair.connected();
        } catch (RdmaException e) {
            throw new AssertionError(e);
        }
    }

    private void assertBroken(String clientStatus, String serverStatus) {
        pair.core().upcalls().runAll();
        assertThat(client.queuePair().state()).isEqualTo(QueuePairState.ERROR);
        assertThat(server.queuePair().state()).isEqualTo(QueuePairState.ERROR);
        assertThat(client.events().names()).last().isEqualTo("disconnected " + clientStatus);
        assertThat(server.events().names()).last().isEqualTo("disconnected " + serverStatus);
    }

    @Test
    void aSendFillsAReceive() throws Exception {
        client.buffer().put(3, (byte) 42);

        server.queuePair().postReceive(Work.receive(1).segment(server.region(), 100, 10));
        client.queuePair().postSend(Work.send(2).segment(client.region(), 3, 1));

        assertThat(server.buffer().get(100)).isEqualTo((byte) 42);
        assertThat(client.sent()).containsExactly("2 SUCCESS SEND");
        assertThat(Completions.of(server.receives())).singleElement().satisfies(received -> {
            assertThat(received).hasToString("1 SUCCESS RECEIVE");
            assertThat(received.byteCount()).isEqualTo(1);
            assertThat(received.queuePairNumber()).isEqualTo(server.queuePair().number());
            assertThat(received.flags()).isZero();
        });
    }

    @Test
    void gathersAndScatters() throws Exception {
        for (int index = 0; index < 60; index++) {
            client.buffer().put(index, (byte) index);
        }
        server.queuePair()
                .postReceive(Work.receive(1)
                        .segment(server.region(), 0, 7)
                        .segment(server.region(), 50, 0)
                        .segment(server.region(), 100, 20)
                        .segment(server.region(), 200, 50));
        client.queuePair()
                .postSend(Work.send(2)
                        .segment(client.region(), 10, 10)
                        .segment(client.region(), 0, 0)
                        .segment(client.region(), 40, 20));

        byte[] seen = new byte[30];
        server.buffer().get(0, seen, 0, 7);
        server.buffer().get(100, seen, 7, 20);
        server.buffer().get(200, seen, 27, 3);
        byte[] expected = new byte[30];
        client.buffer().get(10, expected, 0, 10);
        client.buffer().get(40, expected, 10, 20);
        assertThat(seen).isEqualTo(expected);
        assertThat(server.buffer().get(203)).isZero();
    }

    @Test
    void bothSidesSend() throws Exception {
        client.queuePair().postReceive(Work.receive(1).segment(client.region(), 0, 8));
        server.queuePair().postSend(Work.send(2).segment(server.region(), 0, 8));
        assertThat(client.received()).containsExactly("1 SUCCESS RECEIVE");
        assertThat(server.sent()).containsExactly("2 SUCCESS SEND");
    }

    @Test
    void anEmptyMessageArrivesToo() throws Exception {
        server.queuePair().postReceive(Work.receive(1));
        client.queuePair().postSend(Work.send(2));
        assertThat(server.received()).containsExactly("1 SUCCESS RECEIVE");
    }

    @Test
    void carriesImmediateData() throws Exception {
        server.queuePair().postReceive(Work.receive(1));
        client.queuePair().postSend(Work.sendWithImmediate(2, 0xCAFEBABE));
        assertThat(Completions.of(server.receives())).singleElement().satisfies(received -> {
            assertThat(received.flags()).isEqualTo(CompletionSink.IMMEDIATE_DATA);
            assertThat(received.keyOrImmediate()).isEqualTo(0xCAFEBABE);
        });
    }

    @Test
    void sendsWithInvalidate() throws Exception {
        ProviderMemoryRegion region = server.register(ByteBuffer.allocateDirect(8), EnumSet.allOf(Access.class));
        server.queuePair().postReceive(Work.receive(1));
        client.queuePair().postSend(Work.sendWithInvalidate(2, region.remoteKey()));
        assertThat(Completions.of(server.receives())).singleElement().satisfies(received -> {
            assertThat(received.flags()).isEqualTo(CompletionSink.INVALIDATED);
            assertThat(received.keyOrImmediate()).isEqualTo(region.remoteKey());
        });
        client.queuePair()
                .postSend(Work.write(3, region.remoteAddress(), region.remoteKey())
                        .segment(client.region(), 0, 8));
        assertThat(client.sent()).containsExactly("2 SUCCESS SEND", "3 REMOTE_ACCESS_ERROR WRITE");
    }

    @Test
    void cannotInvalidateWhatIsNotThere() throws Exception {
        server.queuePair().postReceive(Work.receive(1));
        client.queuePair().postSend(Work.sendWithInvalidate(2, client.region().remoteKey()));
        assertThat(client.sent()).containsExactly("2 REMOTE_ACCESS_ERROR SEND");
        assertThat(server.received()).containsExactly("1 FLUSHED RECEIVE");
        assertBroken("CONNECTION_ABORTED", "CONNECTION_RESET");
    }

    @Test
    void copiesInlineDataWhenItIsPosted() throws Exception {
        client.buffer().put(0, (byte) 1);
        ProviderMemoryRegion passing = client.register(client.buffer(), EnumSet.noneOf(Access.class));
        client.queuePair().postSend(Work.send(2).segment(passing, 0, 32).inline());
        client.buffer().put(0, (byte) 9);
        passing.close();
        server.queuePair().postReceive(Work.receive(1).segment(server.region(), 0, 32));
        assertThat(server.buffer().get(0)).isEqualTo((byte) 1);
        assertThat(client.sent()).containsExactly("2 SUCCESS SEND");
    }

    @Test
    void refusesTooMuchInlineData() {
        assertThatThrownBy(() -> client.queuePair()
                        .postSend(Work.send(2).segment(client.region(), 0, 33).inline()))
                .isInstanceOfSatisfying(
                        RdmaException.class, e -> assertThat(e.error()).isEqualTo(RdmaError.TOO_LARGE));
    }

    @Test
    void reportsNoSuccessOfAnUnsignaledSend() throws Exception {
        server.queuePair().postReceive(Work.receive(1));
        client.queuePair().postSend(Work.send(2).unsignaled());
        assertThat(client.sent()).isEmpty();
        client.queuePair().fail();
        client.queuePair().postSend(Work.send(3).unsignaled());
        assertThat(client.sent()).containsExactly("3 FLUSHED SEND");
    }

    @Test
    void waitsForAReceiveInOrder() throws Exception {
        client.queuePair().postSend(Work.send(1).segment(client.region(), 0, 8));
        client.queuePair().postSend(Work.send(2).segment(client.region(), 8, 8));
        client.queuePair()
                .postSend(Work.write(
                                3,
                                server.region().remoteAddress(),
                                server.region().remoteKey())
                        .segment(client.region(), 0, 8));
        assertThat(client.sent()).isEmpty();
        server.queuePair().postReceive(Work.receive(4).segment(server.region(), 0, 8));
        assertThat(client.sent()).containsExactly("1 SUCCESS SEND");
        server.queuePair().postReceive(Work.receive(5).segment(server.region(), 0, 8));
        assertThat(client.sent()).containsExactly("2 SUCCESS SEND", "3 SUCCESS WRITE");
        assertThat(server.received()).containsExactly("4 SUCCESS RECEIVE", "5 SUCCESS RECEIVE");
        assertThat(pair.core().timer().size()).as("seven retries never end").isZero();
    }

    @Test
    void givesUpWhenTheReceiverIsNotReadyForTooLong() throws Exception {
        Pair patient = Pair.connected(Core.parameters().withRetries(7, 3));
        Side sender = patient.client();
        sender.queuePair().postSend(Work.send(1));
        sender.queuePair().postSend(Work.send(2));
        patient.core().pass(Duration.ofMillis(29));
        assertThat(sender.sent()).isEmpty();
        patient.core().pass(Duration.ofMillis(1));
        assertThat(sender.sent()).containsExactly("1 RECEIVER_NOT_READY_RETRY_EXCEEDED SEND", "2 FLUSHED SEND");
        assertThat(patient.server().queuePair().state()).isEqualTo(QueuePairState.ERROR);
        assertThat(patient.server().events().names()).last().isEqualTo("disconnected CONNECTION_RESET");
    }

    @Test
    void isPatientWithEachSendAnew() throws Exception {
        Pair patient = Pair.connected(Core.parameters().withRetries(7, 3));
        Side sender = patient.client();
        sender.queuePair().postSend(Work.send(1));
        patient.core().pass(Duration.ofMillis(29));
        patient.server().queuePair().postReceive(Work.receive(3));
        sender.queuePair().postSend(Work.send(2));
        patient.core().pass(Duration.ofMillis(29));
        assertThat(sender.sent()).containsExactly("1 SUCCESS SEND");
        patient.server().queuePair().postReceive(Work.receive(4));
        assertThat(sender.sent()).containsExactly("2 SUCCESS SEND");
        assertThat(patient.core().timer().size()).isZero();
    }

    @Test
    void givesUpAtOnceWithoutRetries() throws Exception {
        Pair hasty = Pair.connected(Core.parameters().withRetries(7, 0));
        hasty.client().queuePair().postSend(Work.send(1));
        assertThat(hasty.client().sent()).containsExactly("1 RECEIVER_NOT_READY_RETRY_EXCEEDED SEND");
    }

    @Test
    void aMessageThatIsTooLongBreaksBothEnds() throws Exception {
        server.queuePair().postReceive(Work.receive(1).segment(server.region(), 0, 7));
        server.queuePair().postReceive(Work.receive(2).segment(server.region(), 0, 8));
        client.queuePair().postSend(Work.send(3).segment(client.region(), 0, 8));
        assertThat(server.received()).containsExactly("1 LOCAL_LENGTH_ERROR RECEIVE", "2 FLUSHED RECEIVE");
        assertThat(client.sent()).containsExactly("3 REMOTE_INVALID_REQUEST SEND");
        assertThat(server.buffer().get(0)).isZero();
        assertBroken("CONNECTION_ABORTED", "CONNECTION_RESET");
    }

    @Test
    void aMessageLongerThanTheDeviceTakesIsALengthError() throws Exception {
        Core core = new Core();
        DeviceConfiguration small = DeviceConfiguration.of("small", Core.address("100::3"));
        Side sender = new Side(core.add(small.withAttributes(
                small.attributes().withLimits(new DeviceLimits(16, 16, 4, 64, 100, 1024, 32, 1, 1)))));
        Pair unequal = Pair.connected(core, sender, new Side(core.add("server", "100::4")), Core.parameters());
        sender.queuePair().postSend(Work.send(1).segment(sender.region(), 0, 101));
        assertThat(sender.sent()).containsExactly("1 LOCAL_LENGTH_ERROR SEND");
        assertThat(unequal.server().queuePair().state()).isEqualTo(QueuePairState.ERROR);
    }

    @Test
    void aReceiveThatMayNotBeWrittenIsALocalProtectionError() throws Exception {
        ProviderMemoryRegion readOnly = server.register(ByteBuffer.allocateDirect(8), EnumSet.noneOf(Access.class));
        server.queuePair().postReceive(Work.receive(1).segment(readOnly, 0, 8));
        client.queuePair().postSend(Work.send(2).segment(client.region(), 0, 8));
        assertThat(server.received()).containsExactly("1 LOCAL_PROTECTION_ERROR RECEIVE");
        assertThat(client.sent()).containsExactly("2 REMOTE_OPERATION_ERROR SEND");
        assertBroken("CONNECTION_ABORTED", "CONNECTION_RESET");
    }

    @Test
    void aRegionOfAnotherDomainIsALocalProtectionError() throws Exception {
        ProviderMemoryRegion foreign = client.device()
                .createProtectionDomain()
                .registerMemory(ByteBuffer.allocateDirect(8), EnumSet.allOf(Access.class));
        client.queuePair().postSend(Work.send(1).segment(foreign, 0, 8));
        assertThat(client.sent()).containsExactly("1 LOCAL_PROTECTION_ERROR SEND");
    }

    @Test
    void aRegionThatWasClosedMeanwhileIsALocalProtectionError() throws Exception {
        ProviderMemoryRegion passing = client.register(ByteBuffer.allocateDirect(8), EnumSet.allOf(Access.class));
        client.queuePair().postSend(Work.send(1).segment(passing, 0, 8));
        passing.close();
        server.queuePair().postReceive(Work.receive(2).segment(server.region(), 0, 8));
        assertThat(client.sent()).containsExactly("1 LOCAL_PROTECTION_ERROR SEND");
        assertThat(server.received()).containsExactly("2 FLUSHED RECEIVE");
    }

    @Test
    void cannotSendBeforeTheConnection() throws Exception {
        Core core = new Core();
        Side alone = new Side(core.add("alone", "100::3"));
        alone.endpoint(core.resolve(alone.device(), Core.at(alone.device()), new Events()), new Events());
        alone.createQueuePair();
        assertThatThrownBy(() -> alone.queuePair().postSend(Work.send(1)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("not connected");
        alone.queuePair().postReceive(Work.receive(2));
        alone.queuePair().fail();
        alone.queuePair().postReceive(Work.receive(3));
        alone.queuePair().postSend(Work.send(4));
        assertThat(alone.received()).containsExactly("2 FLUSHED RECEIVE", "3 FLUSHED RECEIVE");
        assertThat(alone.sent()).containsExactly("4 FLUSHED SEND");
    }

    @Test
    void flushesWhenItFails() throws Exception {
        client.queuePair().postSend(Work.send(1));
        client.queuePair().postSend(Work.send(2));
        client.queuePair().postReceive(Work.receive(3));
        server.queuePair().postSend(Work.send(4).segment(server.region(), 0, 8));
        assertThat(client.received()).as("too long").containsExactly("3 LOCAL_LENGTH_ERROR RECEIVE");
        assertThat(client.sent()).containsExactly("1 FLUSHED SEND", "2 FLUSHED SEND");
        assertThat(server.sent()).containsExactly("4 REMOTE_INVALID_REQUEST SEND");
        assertBroken("CONNECTION_RESET", "CONNECTION_ABORTED");
    }

    @Test
    void failTellsBothSides() throws Exception {
        server.queuePair().postReceive(Work.receive(1));
        client.queuePair().fail();
        assertThat(server.received()).containsExactly("1 FLUSHED RECEIVE");
        assertBroken("CONNECTION_ABORTED", "CONNECTION_RESET");
    }

    @Test
    void closeLeavesAllCompletionsInTheQueues() throws Exception {
        client.queuePair().postSend(Work.send(1));
        client.queuePair().postReceive(Work.receive(2));
        client.queuePair().close();
        assertThat(client.sent()).containsExactly("1 FLUSHED SEND");
        assertThat(client.received()).containsExactly("2 FLUSHED RECEIVE");
    }

    @Test
    void refusesMoreThanTheQueuesHold() throws Exception {
        for (int count = 0; count < 16; count++) {
            client.queuePair().postSend(Work.send(count));
            client.queuePair().postReceive(Work.receive(count));
        }
        assertThatThrownBy(() -> client.queuePair().postSend(Work.send(16)))
                .isInstanceOfSatisfying(
                        RdmaException.class, e -> assertThat(e.error()).isEqualTo(RdmaError.NO_MEMORY));
        assertThatThrownBy(() -> client.queuePair().postReceive(Work.receive(16)))
                .isInstanceOfSatisfying(
                        RdmaException.class, e -> assertThat(e.error()).isEqualTo(RdmaError.NO_MEMORY));
        for (int count = 0; count < 16; count++) {
            server.queuePair().postReceive(Work.receive(count));
        }
        assertThat(Completions.of(client.sends()).stream().mapToLong(Completions.Completion::id))
                .containsExactlyElementsOf(LongStream.range(0, 16).boxed().toList());
        client.queuePair().postSend(Work.send(17));
    }

    @Test
    void refusesMoreSegmentsThanTheQueuesTake() {
        Work five = Work.send(1);
        for (int count = 0; count < 5; count++) {
            five.segment(client.region(), 0, 1);
        }
        assertThatThrownBy(() -> client.queuePair().postSend(five)).hasMessageContaining("5 segments");
        assertThatThrownBy(() -> client.queuePair().postReceive(five)).hasMessageContaining("5 segments");
    }

    @Test
    void severalQueuePairsShareReceives() throws Exception {
        Core core = new Core();
        Side shared = new Side(core.add("server", "100::1"));
        ProviderSharedReceiveQueue queue = shared.domain().createSharedReceiveQueue(4, 1);
        shared.sharedReceiveQueue(queue);
        Side first = new Side(core.add("first", "100::2"));
        Side second = new Side(core.add("second", "100::3"));
        Pair.connected(core, first, shared, Core.parameters()).listener().close();
        int firstNumber = shared.queuePair().number();
        Pair.connected(core, second, shared, Core.parameters());
        int secondNumber = shared.queuePair().number();

        first.queuePair().postSend(Work.send(1));
        second.queuePair().postSend(Work.send(2));
        first.queuePair().postSend(Work.send(3));
        queue.postReceive(Work.receive(4).segment(shared.region(), 0, 8));
        queue.postReceive(Work.receive(5).segment(shared.region(), 0, 8));
        queue.postReceive(Work.receive(6).segment(shared.region(), 0, 8));
        queue.postReceive(Work.receive(7).segment(shared.region(), 0, 8));

        assertThat(Completions.of(shared.receives()))
                .extracting(Completions.Completion::id, Completions.Completion::queuePairNumber)
                .contains(tuple(4L, firstNumber), tuple(5L, secondNumber))
                .hasSize(3);
        shared.queuePair().close();
        first.queuePair().postSend(Work.send(8));
        assertThat(shared.received()).as("7 has survived the close").containsExactly("7 SUCCESS RECEIVE");
        queue.postReceive(Work.receive(9));
        queue.close();
        assertThat(shared.received()).isEmpty();
    }

    @Test
    void tellsOncePerRequestForNotification() throws Exception {
        server.queuePair().postReceive(Work.receive(1));
        server.queuePair().postReceive(Work.receive(2));
        server.queuePair().postReceive(Work.receive(3));
        client.queuePair().postSend(Work.send(4));
        server.receives().requestNotification(false);
        pair.core().upcalls().runAll();
        assertThat(server.notifications()).as("what was there before").isZero();
        client.queuePair().postSend(Work.send(5));
        client.queuePair().postSend(Work.send(6));
        assertThat(server.notifications()).as("not on the stack of a post").isZero();
        pair.core().upcalls().runAll();
        assertThat(server.notifications()).isEqualTo(1);
    }

    @Test
    void tellsOfSolicitedMessagesAndErrorsOnly() throws Exception {
        server.queuePair().postReceive(Work.receive(1));
        server.queuePair().postReceive(Work.receive(2));
        server.queuePair().postReceive(Work.receive(3));
        server.receives().requestNotification(true);
        client.queuePair().postSend(Work.send(4));
        pair.core().upcalls().runAll();
        assertThat(server.notifications()).isZero();
        client.queuePair().postSend(Work.send(5).solicited());
        pair.core().upcalls().runAll();
        assertThat(server.notifications()).isEqualTo(1);
        server.receives().requestNotification(true);
        server.queuePair().fail();
        pair.core().upcalls().runAll();
        assertThat(server.notifications()).isEqualTo(2);
    }

    @Test
    void aNotificationForAllIsNotNarrowed() throws Exception {
        server.queuePair().postReceive(Work.receive(1));
        server.receives().requestNotification(false);
        server.receives().requestNotification(true);
        client.queuePair().postSend(Work.send(4));
        pair.core().upcalls().runAll();
        assertThat(server.notifications()).isEqualTo(1);
    }

    @Test
    void anOverflowBreaksTheQueueAndItsQueuePairs() throws Exception {
        Core core = new Core();
        Side small = new Side(core.add("small", "100::3"), 2);
        Pair overflowing = Pair.connected(core, small, new Side(core.add("server", "100::4")), Core.parameters());
        for (int count = 0; count < 3; count++) {
            overflowing.server().queuePair().postReceive(Work.receive(count));
        }
        small.sends().requestNotification(true);
        for (int count = 0; count < 3; count++) {
            small.queuePair().postSend(Work.send(count));
        }
        core.upcalls().runAll();
        assertThat(small.notifications()).isEqualTo(1);
        assertThatThrownBy(small::sent).hasMessageContaining("overflow").isInstanceOf(RdmaException.class);
        assertThatThrownBy(() -> small.sends().requestNotification(false)).isInstanceOf(RdmaException.class);
        assertThat(small.queuePair().state()).isEqualTo(QueuePairState.ERROR);
        assertThat(small.events().names()).last().isEqualTo("disconnected CONNECTION_ABORTED");
    }

    @Test
    void pollsNoMoreThanAskedFor() throws Exception {
        for (int count = 0; count < 3; count++) {
            server.queuePair().postReceive(Work.receive(count));
            client.queuePair().postSend(Work.send(count));
        }
        CompletionSink nowhere = (id, status, operation, bytes, number, flags, key, vendor) -> {};
        assertThat(client.sends().poll(nowhere, 2)).isEqualTo(2);
        assertThat(client.sends().poll(nowhere, 2)).isEqualTo(1);
        assertThat(client.sends().poll(nowhere, 2)).isZero();
    }
}
