package org.verbena.rdma.provider.disni.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.verbena.rdma.provider.disni.scripted.Requests.receive;
import static org.verbena.rdma.provider.disni.scripted.Requests.send;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.verbena.rdma.Access;
import org.verbena.rdma.QueuePairState;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.SendOperation;
import org.verbena.rdma.cm.PortSpace;
import org.verbena.rdma.provider.disni.scripted.OpenedDevice;
import org.verbena.rdma.provider.disni.scripted.ScriptedNatives;
import org.verbena.rdma.provider.disni.scripted.ToldEndpoint;
import org.verbena.rdma.spi.CompletionSink;
import org.verbena.rdma.spi.Endpoint;
import org.verbena.rdma.spi.EndpointOptions;
import org.verbena.rdma.spi.ProviderMemoryRegion;
import org.verbena.rdma.spi.ProviderSharedReceiveQueue;

class QueuesTest {
    private static final int SUCCESS = 0;
    private static final int FLUSHED = 5;
    private static final int REMOTE_ACCESS = 10;
    private static final int RECEIVE = 128;
    private static final int RECEIVE_WITH_IMMEDIATE = 129;
    private static final int GARBAGE = 4711;

    private final ScriptedNatives scripted = new ScriptedNatives();
    private final Semaphore events = new Semaphore(0);
    private OpenedDevice opened;
    private Endpoint endpoint;
    private DisniQueuePair queuePair;
    private long queue;

    @BeforeEach
    void connect() throws RdmaException {
        opened = OpenedDevice.open(scripted, events::release);
        queue = ((DisniCompletionQueue) opened.completionQueue()).handle();
        endpoint = opened.device()
                .resolve(
                        PortSpace.TCP,
                        new InetSocketAddress("10.0.0.1", 0),
                        new InetSocketAddress("10.0.0.2", 1),
                        Duration.ofSeconds(1),
                        EndpointOptions.DEFAULTS,
                        new ToldEndpoint());
        queuePair = opened.queuePair(endpoint);
        queuePair.becameReady();
    }

    @AfterEach
    void close() {
        endpoint.close();
        opened.completionQueue().close();
        opened.device().close();
    }

    @Test
    void tellsWhatTheConsumerHasPosted() throws RdmaException {
        queuePair.postSend(send(10, SendOperation.WRITE, true));
        queuePair.postReceive(receive(20));
        assertThat(queuePair.hasOutstandingWork()).isTrue();

        complete(posted("postSend", 0), SUCCESS, 1, 0, 0);
        complete(posted("postReceive", 0), SUCCESS, RECEIVE, 12, 0);

        assertThat(polled()).containsExactly("10 SUCCESS WRITE 0 qp77", "20 SUCCESS RECEIVE 12 qp77");
        assertThat(queuePair.hasOutstandingWork()).isFalse();
    }

    @Test
    void knowsTheOperationOfAnErrorThoughTheDeviceDoesNotTell() throws RdmaException {
        queuePair.postSend(send(10, SendOperation.READ, true));
        complete(posted("postSend", 0), REMOTE_ACCESS, GARBAGE, 99, 0);
        assertThat(polled()).containsExactly("10 REMOTE_ACCESS_ERROR READ 99 qp77");
    }

    @Test
    void aSignaledSendTellsOfThoseBeforeIt() throws RdmaException {
        queuePair.postSend(send(1, SendOperation.SEND, false));
        queuePair.postSend(send(2, SendOperation.SEND, false));
        queuePair.postSend(send(3, SendOperation.SEND, true));
        complete(posted("postSend", 2), SUCCESS, 0, 0, 0);
        assertThat(polled()).containsExactly("3 SUCCESS SEND 0 qp77");
        assertThat(queuePair.hasOutstandingWork()).isFalse();
    }

    @Test
    void refusesMoreThanTheQueueHolds() throws RdmaException {
        for (int i = 0; i < 4; i++) {
            queuePair.postSend(send(i, SendOperation.SEND, true));
            queuePair.postReceive(receive(i));
        }
        assertThatExceptionOfType(RdmaException.class)
                .isThrownBy(() -> queuePair.postSend(send(9, SendOperation.SEND, true)))
                .satisfies(failure -> assertThat(failure.error()).isEqualTo(RdmaError.NO_MEMORY));
        assertThatExceptionOfType(RdmaException.class)
                .isThrownBy(() -> queuePair.postReceive(receive(9)))
                .satisfies(failure -> assertThat(failure.error()).isEqualTo(RdmaError.NO_MEMORY));

        complete(posted("postSend", 0), SUCCESS, 0, 0, 0);
        polled();
        queuePair.postSend(send(9, SendOperation.SEND, true));
    }

    @Test
    void goesAroundTheRingManyTimes() throws RdmaException {
        for (int i = 0; i < 100; i++) {
            queuePair.postSend(send(i, SendOperation.SEND, true));
            complete(posted("postSend", i), SUCCESS, 0, 0, 0);
            assertThat(polled()).containsExactly(i + " SUCCESS SEND 0 qp77");
        }
    }

    @Test
    void tellsImmediateData() throws RdmaException {
        queuePair.postReceive(receive(20));
        complete(posted("postReceive", 0), SUCCESS, RECEIVE_WITH_IMMEDIATE, 8, 2);
        assertThat(polled()).containsExactly("20 SUCCESS RECEIVE_WRITE_WITH_IMMEDIATE 8 qp77 immediate 1234");
    }

    @Test
    void sendsNothingBeforeItIsConnected() throws RdmaException {
        queuePair.close();
        DisniQueuePair unconnected = opened.queuePair(endpoint);
        assertThatIllegalStateException().isThrownBy(() -> unconnected.postSend(send(1, SendOperation.SEND, true)));
        unconnected.postReceive(receive(1));
        unconnected.fail();
        complete(posted("postReceive", 0), FLUSHED, GARBAGE, 0, 0);
        unconnected.close();
        assertThat(polled()).containsExactly("1 FLUSHED RECEIVE 0 qp77");
    }

    @Test
    void flushesWhatIsPostedAfterAnErrorBehindWhatTheDeviceFlushes() throws Exception {
        queuePair.postSend(send(1, SendOperation.SEND, true));
        opened.completionQueue().requestNotification(false);
        queuePair.fail();
        complete(posted("postSend", 0), FLUSHED, GARBAGE, 0, 0);

        queuePair.postSend(send(2, SendOperation.WRITE, false));
        queuePair.postReceive(receive(3));

        assertThat(events.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
        assertThat(polled())
                .containsExactly("1 FLUSHED SEND 0 qp77", "2 FLUSHED WRITE 0 qp77", "3 FLUSHED RECEIVE 0 qp77");
        assertThat(scripted.calls("postSend")).hasSize(1);
    }

    @Test
    void aPostThatTheDeviceRefusesIsACompletion() throws RdmaException {
        scripted.answer("postSend", -22);
        queuePair.postSend(send(1, SendOperation.SEND, true));
        assertThat(polled()).containsExactly("1 LOCAL_QUEUE_PAIR_OPERATION_ERROR SEND 0 qp77");
        assertThat(queuePair.state()).isEqualTo(QueuePairState.ERROR);
        assertThat(queuePair.hasOutstandingWork()).isFalse();
    }

    @Test
    void aPostThatADeviceRefusesAfterAnErrorIsFlushed() throws RdmaException {
        scripted.answer("postSend", -22);
        scripted.answer("queuePairState", 0);
        queuePair.postSend(send(1, SendOperation.WRITE, true));
        assertThat(polled()).containsExactly("1 FLUSHED WRITE 0 qp77");
    }

    @Test
    void aDeviceWithoutRoomIsNoError() {
        scripted.answer("postSend", -12);
        assertThatExceptionOfType(RdmaException.class)
                .isThrownBy(() -> queuePair.postSend(send(1, SendOperation.SEND, true)))
                .satisfies(failure -> assertThat(failure.error()).isEqualTo(RdmaError.NO_MEMORY));
        assertThat(queuePair.state()).isEqualTo(QueuePairState.READY);
    }

    @Test
    void seesThatTheDeviceHasMovedItToError() {
        scripted.answer("queuePairState", 6);
        assertThat(queuePair.state()).isEqualTo(QueuePairState.ERROR);
    }

    @Test
    void closeTakesTheCompletionsOutOfTheDeviceFirst() throws RdmaException {
        queuePair.postSend(send(1, SendOperation.SEND, true));
        queuePair.postReceive(receive(2));
        scripted.answer("failQueuePair", arguments -> {
            complete(posted("postSend", 0), FLUSHED, GARBAGE, 0, 0);
            complete(posted("postReceive", 0), FLUSHED, GARBAGE, 0, 0);
            return 0;
        });
        queuePair.close();
        assertThat(scripted.names()).containsSubsequence("failQueuePair", "destroyQueuePair");
        assertThat(polled()).containsExactly("1 FLUSHED SEND 0 qp77", "2 FLUSHED RECEIVE 0 qp77");
    }

    @Test
    void closeFlushesWhatTheDeviceDoesNotFlush() throws RdmaException {
        queuePair.postSend(send(1, SendOperation.SEND, false));
        queuePair.postSend(send(2, SendOperation.SEND, true));
        queuePair.postReceive(receive(3));
        queuePair.close();
        assertThat(polled()).containsExactly("2 FLUSHED SEND 0 qp77", "3 FLUSHED RECEIVE 0 qp77");
        assertThat(queuePair.state()).isEqualTo(QueuePairState.CLOSED);
    }

    @Test
    void aLateCompletionOfAQueuePairThatIsGoneIsIgnored() throws RdmaException {
        queuePair.postSend(send(1, SendOperation.SEND, false));
        long late = posted("postSend", 0);
        queuePair.close();
        DisniQueuePair next = opened.queuePair(endpoint);
        next.becameReady();
        next.postSend(send(5, SendOperation.SEND, true));

        complete(late, FLUSHED, GARBAGE, 0, 0);

        assertThat(polled()).isEmpty();
        assertThat(next.hasOutstandingWork()).isTrue();
    }

    @Test
    void aSharedReceiveQueueIsUsedUpInAnyOrder() throws RdmaException {
        ProviderSharedReceiveQueue shared = opened.domain().createSharedReceiveQueue(2, 1);
        shared.postReceive(receive(1));
        shared.postReceive(receive(2));
        complete(posted("postSharedReceive", 1), SUCCESS, RECEIVE, 3, 0);
        assertThat(polled()).containsExactly("2 SUCCESS RECEIVE 3 qp77");
        shared.postReceive(receive(3));
        complete(posted("postSharedReceive", 0), SUCCESS, RECEIVE, 4, 0);
        complete(posted("postSharedReceive", 2), SUCCESS, RECEIVE, 5, 0);
        assertThat(polled()).containsExactly("1 SUCCESS RECEIVE 4 qp77", "3 SUCCESS RECEIVE 5 qp77");
        shared.close();
    }

    @Test
    void anEventIsToldOncePerRequest() throws Exception {
        long token = scripted.lastCall("createCompletionQueue").longArgument(2);
        scripted.raiseCompletionEvent(token);
        opened.completionQueue().requestNotification(false);
        scripted.raiseCompletionEvent(token);
        scripted.raiseCompletionEvent(token);
        scripted.awaitTaken();
        assertThat(events.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
        opened.completionQueue().close();
        assertThat(events.tryAcquire()).isFalse();
    }

    @Test
    void writesSegmentsAsTheDeviceReadsThem() throws RdmaException {
        scripted.answer("registerMemory", arguments -> {
            int[] keys = (int[]) arguments[4];
            keys[0] = 7;
            keys[1] = 8;
            return 99L;
        });
        ProviderMemoryRegion region = opened.domain()
                .registerMemory(ByteBuffer.allocateDirect(64), Set.of(Access.LOCAL_WRITE, Access.REMOTE_READ));
        assertThat(scripted.lastCall("registerMemory").intArgument(3)).isEqualTo(1 | 4);
        assertThat(region.remoteKey()).isEqualTo(8);
        scripted.answer("postSend", arguments -> {
            ByteBuffer segment = scripted.memoryAt((Long) arguments[9]);
            assertThat(segment.getLong(0)).isEqualTo(region.remoteAddress() + 16);
            assertThat(segment.getInt(8)).isEqualTo(32);
            assertThat(segment.getInt(12)).isEqualTo(7);
            assertThat(arguments[10]).isEqualTo(1);
            return 0;
        });
        queuePair.postSend(send(1, region, 16, 32));
        assertThat(scripted.calls("postSend")).hasSize(1);
        region.close();
    }

    private long posted(String name, int index) {
        return scripted.calls(name).get(index).longArgument(1);
    }

    private void complete(long number, int status, int operation, int bytes, int flags) {
        scripted.complete(queue, number, status, operation, bytes, flags);
    }

    private List<String> polled() throws RdmaException {
        List<String> told = new ArrayList<>();
        opened.completionQueue()
                .poll(
                        (id, status, operation, bytes, number, flags, keyOrImmediate, vendor) -> told.add(id + " "
                                + status + " " + operation + " " + bytes + " qp" + number
                                + ((flags & CompletionSink.IMMEDIATE_DATA) != 0
                                        ? " immediate " + Integer.toHexString(keyOrImmediate)
                                        : "")),
                        100);
        return told;
    }
}
