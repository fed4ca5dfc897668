package org.verbena.rdma.provider.loopback;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.verbena.rdma.Access;
import org.verbena.rdma.QueuePairState;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.provider.loopback.fake.Completions;
import org.verbena.rdma.provider.loopback.fake.Core;
import org.verbena.rdma.provider.loopback.fake.Pair;
import org.verbena.rdma.provider.loopback.fake.Side;
import org.verbena.rdma.provider.loopback.fake.Work;
import org.verbena.rdma.spi.CompletionSink;
import org.verbena.rdma.spi.ProviderMemoryRegion;

class RemoteMemoryTest {
    private final Pair pair = connected();
    private final Side client = pair.client();
    private final Side server = pair.server();
    private final long address = server.region().remoteAddress();
    private final int key = server.region().remoteKey();

    private static Pair connected() {
        try {
            return Pair.connected();
        } catch (RdmaException e) {
            throw new AssertionError(e);
        }
    }

    private void assertBothInError() {
        assertThat(client.queuePair().state()).isEqualTo(QueuePairState.ERROR);
        assertThat(server.queuePair().state()).isEqualTo(QueuePairState.ERROR);
    }

    @Test
    void writes() throws Exception {
        client.buffer().put(1, (byte) 7);
        client.queuePair().postSend(Work.write(1, address + 10, key).segment(client.region(), 0, 4));
        assertThat(server.buffer().get(11)).isEqualTo((byte) 7);
        assertThat(client.sent()).containsExactly("1 SUCCESS WRITE");
        assertThat(server.received()).isEmpty();
    }

    @Test
    void writesWithImmediateData() throws Exception {
        client.buffer().put(0, (byte) 7);
        client.queuePair().postSend(Work.writeWithImmediate(1, address, key, -2).segment(client.region(), 0, 4));
        assertThat(server.buffer().get(0)).as("waits for a receive").isZero();
        server.queuePair().postReceive(Work.receive(2));
        assertThat(server.buffer().get(0)).isEqualTo((byte) 7);
        assertThat(Completions.of(server.receives())).singleElement().satisfies(received -> {
            assertThat(received).hasToString("2 SUCCESS RECEIVE_WRITE_WITH_IMMEDIATE");
            assertThat(received.byteCount()).isEqualTo(4);
            assertThat(received.flags()).isEqualTo(CompletionSink.IMMEDIATE_DATA);
            assertThat(received.keyOrImmediate()).isEqualTo(-2);
        });
        assertThat(client.sent()).containsExactly("1 SUCCESS WRITE");
    }

    @Test
    void reads() throws Exception {
        server.buffer().put(20, (byte) 5).put(21, (byte) 6);
        client.queuePair()
                .postSend(Work.read(1, address + 20, key)
                        .segment(client.region(), 3, 1)
                        .segment(client.region(), 9, 1));
        assertThat(client.buffer().get(3)).isEqualTo((byte) 5);
        assertThat(client.buffer().get(9)).isEqualTo((byte) 6);
        assertThat(Completions.of(client.sends())).singleElement().satisfies(read -> {
            assertThat(read).hasToString("1 SUCCESS READ");
            assertThat(read.byteCount()).isEqualTo(2);
        });
    }

    @Test
    void fetchesAndAdds() throws Exception {
        ByteBuffer words = server.buffer().duplicate().order(ByteOrder.nativeOrder());
        words.putLong(16, 40);
        client.queuePair().postSend(Work.fetchAndAdd(1, address + 16, key, 2).segment(client.region(), 1, 8));
        assertThat(words.getLong(16)).isEqualTo(42);
        assertThat(client.buffer().duplicate().order(ByteOrder.nativeOrder()).getLong(1))
                .isEqualTo(40);
        assertThat(client.sent()).containsExactly("1 SUCCESS FETCH_AND_ADD");
    }

    @Test
    void comparesAndSwaps() throws Exception {
        ByteBuffer words = server.buffer().duplicate().order(ByteOrder.nativeOrder());
        words.putLong(0, 1);
        client.queuePair().postSend(Work.compareAndSwap(1, address, key, 1, 2).segment(client.region(), 0, 8));
        assertThat(words.getLong(0)).isEqualTo(2);
        client.queuePair().postSend(Work.compareAndSwap(2, address, key, 1, 3).segment(client.region(), 8, 8));
        assertThat(words.getLong(0)).isEqualTo(2);
        ByteBuffer seen = client.buffer().duplicate().order(ByteOrder.nativeOrder());
        assertThat(seen.getLong(0)).isEqualTo(1);
        assertThat(seen.getLong(8)).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7})
    void alignmentOfAddressesIsThatOfMemory(int skipped) throws Exception {
        ByteBuffer memory =
                ByteBuffer.allocateDirect(64).position(skipped).slice().order(ByteOrder.BIG_ENDIAN);
        ProviderMemoryRegion region = server.register(memory, EnumSet.allOf(Access.class));
        long aligned = region.remoteAddress() + 7 & -8;
        client.queuePair()
                .postSend(Work.fetchAndAdd(1, aligned, region.remoteKey(), 1).segment(client.region(), 0, 8));
        client.queuePair()
                .postSend(
                        Work.fetchAndAdd(2, aligned + 1, region.remoteKey(), 1).segment(client.region(), 0, 8));
        assertThat(client.sent()).containsExactly("1 SUCCESS FETCH_AND_ADD", "2 REMOTE_INVALID_REQUEST FETCH_AND_ADD");
    }

    @Test
    void anAtomicIsEightBytesLong() throws Exception {
        client.queuePair().postSend(Work.fetchAndAdd(1, address, key, 1).segment(client.region(), 0, 4));
        assertThat(client.sent()).containsExactly("1 LOCAL_LENGTH_ERROR FETCH_AND_ADD");
    }

    static Stream<Arguments> withoutTheRight() {
        return Stream.of(
                Arguments.of(EnumSet.complementOf(EnumSet.of(Access.REMOTE_WRITE)), "WRITE"),
                Arguments.of(EnumSet.complementOf(EnumSet.of(Access.REMOTE_READ)), "READ"),
                Arguments.of(EnumSet.complementOf(EnumSet.of(Access.REMOTE_ATOMIC)), "FETCH_AND_ADD"));
    }

    @ParameterizedTest
    @MethodSource("withoutTheRight")
    void accessWithoutTheRightBreaksBothEnds(Set<Access> access, String operation) throws Exception {
        ProviderMemoryRegion region = server.register(ByteBuffer.allocateDirect(64), access);
        server.queuePair().postReceive(Work.receive(9));
        long at = region.remoteAddress() + 7 & -8;
        Work work =
                switch (operation) {
                    case "WRITE" -> Work.write(1, at, region.remoteKey());
                    case "READ" -> Work.read(1, at, region.remoteKey());
                    default -> Work.fetchAndAdd(1, at, region.remoteKey(), 1);
                };
        client.queuePair().postSend(work.segment(client.region(), 0, 8));
        assertThat(client.sent()).containsExactly("1 REMOTE_ACCESS_ERROR " + operation);
        assertThat(server.received()).containsExactly("9 FLUSHED RECEIVE");
        assertBothInError();
        pair.core().upcalls().runAll();
        assertThat(client.events().names()).last().isEqualTo("disconnected CONNECTION_ABORTED");
        assertThat(server.events().names()).last().isEqualTo("disconnected CONNECTION_RESET");
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 249, 256, 257, Long.MAX_VALUE, Long.MIN_VALUE, -8})
    void accessOutOfBoundsIsRefused(long offset) throws Exception {
        client.queuePair().postSend(Work.write(1, address + offset, key).segment(client.region(), 0, 8));
        assertThat(client.sent()).containsExactly("1 REMOTE_ACCESS_ERROR WRITE");
        assertBothInError();
    }

    @Test
    void accessUpToTheLastByteIsGranted() throws Exception {
        client.queuePair().postSend(Work.write(1, address + 248, key).segment(client.region(), 0, 8));
        assertThat(client.sent()).containsExactly("1 SUCCESS WRITE");
    }

    @Test
    void aKeyOfAnotherDomainIsRefused() throws Exception {
        ProviderMemoryRegion foreign = server.device()
                .createProtectionDomain()
                .registerMemory(ByteBuffer.allocateDirect(8), EnumSet.allOf(Access.class));
        client.queuePair()
                .postSend(Work.write(1, foreign.remoteAddress(), foreign.remoteKey())
                        .segment(client.region(), 0, 8));
        assertThat(client.sent()).containsExactly("1 REMOTE_ACCESS_ERROR WRITE");
    }

    @Test
    void aKeyOfAClosedRegionIsRefused() throws Exception {
        server.region().close();
        client.queuePair().postSend(Work.write(1, address, key).segment(client.region(), 0, 8));
        assertThat(client.sent()).containsExactly("1 REMOTE_ACCESS_ERROR WRITE");
        assertThat(server.buffer().getLong(0)).isZero();
    }

    @Test
    void nothingIsMovedWithoutAKey() throws Exception {
        client.queuePair().postSend(Work.write(1, 0, 0));
        client.queuePair().postSend(Work.read(2, 0, 0));
        assertThat(client.sent()).containsExactly("1 SUCCESS WRITE", "2 SUCCESS READ");
    }

    @Test
    void aSinkThatMayNotBeWrittenIsALocalProtectionError() throws Exception {
        ProviderMemoryRegion readOnly = client.register(ByteBuffer.allocateDirect(8), EnumSet.noneOf(Access.class));
        client.queuePair().postSend(Work.read(1, address, key).segment(readOnly, 0, 8));
        assertThat(client.sent()).containsExactly("1 LOCAL_PROTECTION_ERROR READ");
        assertBothInError();
    }

    @Test
    void readsNeedResourcesOnBothSides() throws Exception {
        Pair noDepth = Pair.connected(Core.parameters().withResources(4, 0));
        noDepth.client()
                .queuePair()
                .postSend(Work.read(
                                1,
                                noDepth.server().region().remoteAddress(),
                                noDepth.server().region().remoteKey())
                        .segment(noDepth.client().region(), 0, 8));
        assertThat(noDepth.client().sent()).containsExactly("1 REMOTE_INVALID_REQUEST READ");
    }

    @Test
    void keysDiffer() throws Exception {
        Set<Integer> keys = new HashSet<>();
        for (int count = 0; count < 1000; count++) {
            keys.add(server.register(ByteBuffer.allocateDirect(1), EnumSet.noneOf(Access.class))
                    .remoteKey());
        }
        assertThat(keys).hasSize(1000).doesNotContain(0);
    }
}
