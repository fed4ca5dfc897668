package org.verbena.rdma.provider.iwarp.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.verbena.rdma.provider.iwarp.peer.RawPeer.atomicRequest;
import static org.verbena.rdma.provider.iwarp.peer.RawPeer.atomicResponse;
import static org.verbena.rdma.provider.iwarp.peer.RawPeer.fetchAdd;
import static org.verbena.rdma.provider.iwarp.peer.RawPeer.immediate;
import static org.verbena.rdma.provider.iwarp.peer.RawPeer.readRequest;
import static org.verbena.rdma.provider.iwarp.peer.RawPeer.readResponse;
import static org.verbena.rdma.provider.iwarp.peer.RawPeer.send;
import static org.verbena.rdma.provider.iwarp.peer.RawPeer.tagged;
import static org.verbena.rdma.provider.iwarp.peer.RawPeer.untagged;
import static org.verbena.rdma.provider.iwarp.peer.RawPeer.write;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.verbena.rdma.Access;
import org.verbena.rdma.QueuePairState;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.WorkCompletionStatus;
import org.verbena.rdma.provider.iwarp.mpa.CrcPolicy;
import org.verbena.rdma.provider.iwarp.peer.Completion;
import org.verbena.rdma.provider.iwarp.peer.Memory;
import org.verbena.rdma.provider.iwarp.peer.Pair;
import org.verbena.rdma.provider.iwarp.peer.RawPeer;
import org.verbena.rdma.provider.iwarp.peer.Request;
import org.verbena.rdma.provider.iwarp.peer.Settings;
import org.verbena.rdma.provider.iwarp.peer.Side;
import org.verbena.rdma.provider.iwarp.peer.TestDevice;
import org.verbena.rdma.spi.ProviderListener;
import org.verbena.rdma.spi.ProviderProtectionDomain;

/** A peer that violates the protocol gets the Terminate that the RFCs ask for, and reaches nothing. */
class HostileFramesTest {
    private static final byte CANARY = 0x5A;

    private TestDevice device;
    private ProviderListener listener;
    private Pair bystanders;
    private Side side;
    private RawPeer peer;
    private Memory open;
    private Memory readOnly;
    private Memory writeOnly;
    private Memory foreign;
    private Memory closed;
    private Memory counter;
    private Memory receive;

    @BeforeEach
    void listen() throws Exception {
        device = new TestDevice(Settings.DEFAULTS.withCrc(CrcPolicy.OFF));
        listener = device.listen("127.0.0.1", 0);
        bystanders = Pair.connect(device, listener, listener.localAddress(), Side.Sizes.DEFAULTS);
        open = canary(device.memory(4096));
        readOnly = canary(device.memory(4096, EnumSet.of(Access.REMOTE_READ)));
        writeOnly = canary(device.memory(4096, EnumSet.of(Access.LOCAL_WRITE, Access.REMOTE_WRITE)));
        receive = canary(device.memory(100, EnumSet.of(Access.LOCAL_WRITE)));
        ProviderProtectionDomain other = device.device().createProtectionDomain();
        Memory unregistered = device.memory(4096);
        foreign = canary(new Memory(
                unregistered.buffer(),
                other.registerMemory(unregistered.buffer().duplicate(), EnumSet.allOf(Access.class))));
        counter = canary(device.memory(64, EnumSet.of(Access.LOCAL_WRITE, Access.REMOTE_ATOMIC)));
        closed = canary(device.memory(4096));
        closed.region().close();
    }

    private static Memory canary(Memory memory) {
        for (int i = 0; i < memory.size(); i++) {
            memory.buffer().put(i, CANARY);
        }
        return memory;
    }

    @AfterEach
    void close() throws Exception {
        peer.close();
        if (side != null) {
            side.close();
        }
        bystanders.client().close();
        bystanders.server().close();
        listener.close();
        device.close();
    }

    private void establish(boolean crc) throws Exception {
        peer = RawPeer.connect(listener.localAddress()).withCrc(crc);
        peer.write(RawPeer.request(crc ? 0x5002 : 0x1002, new byte[] {0, 4, 0, 4}));
        TestDevice.Asked asked = device.nextRequest();
        side = new Side(device, asked.endpoint(), asked.events(), Side.Sizes.DEFAULTS);
        side.receive(new Request(1).segment(receive));
        side.receive(new Request(2).segment(receive));
        side.endpoint().accept(asked.parameters());
        side.events().next("established");
        assertThat(peer.readSetup().key()).isEqualTo("MPA ID Rep Frame");
    }

    /** A ULPDU, made when the memory of a test is there. */
    private interface Frame {
        byte[] ulpdu(HostileFramesTest test);
    }

    /** What a hostile peer sends, and what it gets. */
    private record Case(String what, String terminate, List<Frame> frames) {
        static Arguments of(String what, String terminate, Frame... frames) {
            return Arguments.of(new Case(what, terminate, List.of(frames)));
        }

        @Override
        public String toString() {
            return what + " gets Terminate " + terminate;
        }
    }

    private static byte[] bytes(int count) {
        return new byte[count];
    }

    static Stream<Arguments> cases() {
        return Stream.of(
                // RDMA Write: DDP checks the tagged buffer (RFC 5041, section 7.1), RDMAP the rights.
                Case.of("a write to an unknown STag", "1/1/0", t -> write(0x1234567, 0, bytes(8))),
                Case.of("a write to STag 0", "1/1/0", t -> write(0, 0, bytes(8))),
                Case.of("a write to closed memory", "1/1/0", t -> write(t.closed.key(), t.closed.address(), bytes(8))),
                Case.of(
                        "a write to memory of another domain",
                        "1/1/2",
                        t -> write(t.foreign.key(), t.foreign.address(), bytes(8))),
                Case.of("a write before the start", "1/1/1", t -> write(t.open.key(), t.open.address() - 1, bytes(8))),
                Case.of(
                        "a write over the end",
                        "1/1/1",
                        t -> write(t.open.key(), t.open.address() + 4096 - 7, bytes(8))),
                Case.of("a write behind the end", "1/1/1", t -> write(t.open.key(), t.open.address() + 4096, bytes(1))),
                Case.of("a write far away", "1/1/1", t -> write(t.open.key(), t.open.address() + (1L << 32), bytes(8))),
                Case.of("a write to offset 0", "1/1/1", t -> write(t.open.key(), 0, bytes(8))),
                Case.of("a write to a negative offset", "1/1/1", t -> write(t.open.key(), Long.MIN_VALUE, bytes(8))),
                Case.of("a write that wraps", "1/1/3", t -> write(t.open.key(), -4, bytes(8))),
                Case.of(
                        "a write to memory for reading",
                        "0/1/2",
                        t -> write(t.readOnly.key(), t.readOnly.address(), bytes(8))),
                Case.of(
                        "a write to memory for receives",
                        "0/1/2",
                        t -> write(t.receive.key(), t.receive.address(), bytes(8))),
                Case.of(
                        "a long write over the end",
                        "1/1/1",
                        t -> write(t.open.key(), t.open.address() + 1, bytes(4096))),
                // RDMA Read Request: RDMAP checks (RFC 5040, section 4.8).
                Case.of("a read of an unknown STag", "0/1/0", t -> readRequest(1, 1, 0, 8, 0x1234567, 0)),
                Case.of(
                        "a read of closed memory",
                        "0/1/0",
                        t -> readRequest(1, 1, 0, 8, t.closed.key(), t.closed.address())),
                Case.of(
                        "a read of memory of another domain",
                        "0/1/3",
                        t -> readRequest(1, 1, 0, 8, t.foreign.key(), t.foreign.address())),
                Case.of(
                        "a read of memory for writing",
                        "0/1/2",
                        t -> readRequest(1, 1, 0, 8, t.writeOnly.key(), t.writeOnly.address())),
                Case.of(
                        "a read over the end",
                        "0/1/1",
                        t -> readRequest(1, 1, 0, 4097, t.open.key(), t.open.address())),
                Case.of("a read of 4 GiB", "0/1/1", t -> readRequest(1, 1, 0, -1, t.open.key(), t.open.address())),
                Case.of(
                        "a read of a little over 2 GiB",
                        "0/1/1",
                        t -> readRequest(1, 1, 0, Integer.MIN_VALUE, t.open.key(), t.open.address())),
                Case.of(
                        "a read before the start",
                        "0/1/1",
                        t -> readRequest(1, 1, 0, 8, t.open.key(), t.open.address() - 1)),
                Case.of("a read that wraps", "0/1/4", t -> readRequest(1, 1, 0, 8, t.open.key(), -4)),
                Case.of(
                        "a read request out of sequence",
                        "1/2/3",
                        t -> readRequest(2, 1, 0, 8, t.open.key(), t.open.address())),
                Case.of("a read request in the queue of sends", "1/2/1", t -> {
                    byte[] request = readRequest(1, 1, 0, 8, t.open.key(), t.open.address());
                    request[9] = 0;
                    return request;
                }),
                Case.of("a read request with an offset", "1/2/4", t -> {
                    byte[] request = readRequest(1, 1, 0, 8, t.open.key(), t.open.address());
                    request[17] = 4;
                    return request;
                }),
                Case.of("a read request that is not the last segment", "1/2/5", t -> {
                    byte[] request = readRequest(1, 1, 0, 8, t.open.key(), t.open.address());
                    request[0] = 0x01;
                    return request;
                }),
                Case.of("a read request with payload", "1/2/5", t -> untagged(0x41, 0x41, 0, 1, 1, 0, bytes(40))),
                Case.of("a cut read request", "0/2/7", t -> untagged(0x41, 0x41, 0, 1, 1, 0, bytes(20))),
                Case.of(
                        "a fifth read where four were agreed",
                        "1/2/2",
                        t -> join(t, 5, i -> readRequest(i, 1, 0, 4096, t.open.key(), t.open.address()))),
                // Read Response: nothing was asked for.
                Case.of(
                        "an answer to no question",
                        "0/2/6",
                        t -> readResponse(t.open.key(), t.open.address(), bytes(8), true)),
                // Sends (RFC 5041, section 7.2).
                Case.of("a send out of sequence", "1/2/3", t -> send(2, bytes(8))),
                Case.of("a send with number 0", "1/2/3", t -> send(0, bytes(8))),
                Case.of("a send with a negative number", "1/2/3", t -> send(-1, bytes(8))),
                Case.of("a send again", "1/2/3", t -> send(1, bytes(8)), t -> send(1, bytes(8))),
                Case.of("a send that starts in the middle", "1/2/4", t -> untagged(0x41, 0x43, 0, 0, 1, 8, bytes(8))),
                Case.of(
                        "a send with a gap",
                        "1/2/4",
                        t -> untagged(0x01, 0x43, 0, 0, 1, 0, bytes(8)),
                        t -> untagged(0x41, 0x43, 0, 0, 1, 9, bytes(8))),
                Case.of(
                        "a send that steps back",
                        "1/2/4",
                        t -> untagged(0x01, 0x43, 0, 0, 1, 0, bytes(8)),
                        t -> untagged(0x41, 0x43, 0, 0, 1, 4, bytes(8))),
                Case.of("a send in two queues", "1/2/1", t -> untagged(0x41, 0x43, 0, 1, 1, 0, bytes(8))),
                Case.of("a send in a queue that is none", "1/2/1", t -> untagged(0x41, 0x43, 0, 3, 1, 0, bytes(8))),
                Case.of("a send in a negative queue", "1/2/1", t -> untagged(0x41, 0x43, 0, -1, 1, 0, bytes(8))),
                Case.of("a send longer than the receive", "1/2/5", t -> send(1, bytes(101))),
                Case.of("a much longer send", "1/2/5", t -> send(1, bytes(60_000))),
                Case.of(
                        "a send longer in its second segment",
                        "1/2/5",
                        t -> untagged(0x01, 0x43, 0, 0, 1, 0, bytes(60)),
                        t -> untagged(0x41, 0x43, 0, 0, 1, 60, bytes(41))),
                Case.of(
                        "a send without a receive",
                        "1/2/2",
                        t -> send(1, bytes(8)),
                        t -> send(2, bytes(8)),
                        t -> send(3, bytes(8))),
                Case.of(
                        "a send that changes its kind",
                        "0/2/6",
                        t -> untagged(0x01, 0x43, 0, 0, 1, 0, bytes(8)),
                        t -> untagged(0x41, 0x45, 0, 0, 1, 8, bytes(8))),
                Case.of(
                        "a send that invalidates an unknown STag",
                        "0/1/9",
                        t -> untagged(0x41, 0x44, 0x1234567, 0, 1, 0, bytes(8))),
                Case.of(
                        "a send that invalidates another domain's STag",
                        "0/1/9",
                        t -> untagged(0x41, 0x44, t.foreign.key(), 0, 1, 0, bytes(8))),
                Case.of(
                        "a write to an invalidated STag",
                        "1/1/0",
                        t -> untagged(0x41, 0x44, t.open.key(), 0, 1, 0, bytes(8)),
                        t -> write(t.open.key(), t.open.address(), bytes(8))),
                Case.of(
                        "a read of an invalidated STag",
                        "0/1/0",
                        t -> untagged(0x41, 0x46, t.open.key(), 0, 1, 0, bytes(8)),
                        t -> readRequest(1, 1, 0, 8, t.open.key(), t.open.address())),
                Case.of(
                        "an STag invalidated twice",
                        "0/1/9",
                        t -> untagged(0x41, 0x44, t.open.key(), 0, 1, 0, bytes(8)),
                        t -> untagged(0x41, 0x44, t.open.key(), 0, 2, 0, bytes(8))),
                // Atomic Request (RFC 7306, section 8.2): the target is checked as that of a read is.
                Case.of("an atomic on an unknown STag", "0/1/0", t -> fetchAdd(1, 9, 0x1234567, 0)),
                Case.of("an atomic on closed memory", "0/1/0", t -> fetchAdd(1, 9, t.closed.key(), t.closed.address())),
                Case.of(
                        "an atomic on memory of another domain",
                        "0/1/3",
                        t -> fetchAdd(1, 9, t.foreign.key(), t.foreign.address())),
                Case.of(
                        "an atomic on memory for reads and writes",
                        "0/1/2",
                        t -> fetchAdd(1, 9, t.open.key(), t.open.address())),
                Case.of(
                        "an atomic behind the end",
                        "0/1/1",
                        t -> fetchAdd(1, 9, t.counter.key(), t.counter.address() + 64)),
                Case.of(
                        "an atomic before the start",
                        "0/1/1",
                        t -> fetchAdd(1, 9, t.counter.key(), t.counter.address() - 8)),
                Case.of("an atomic that wraps", "0/1/4", t -> fetchAdd(1, 9, t.counter.key(), -4)),
                Case.of(
                        "an atomic that is not aligned",
                        "0/2/7",
                        t -> fetchAdd(1, 9, t.counter.key(), t.counter.address() + 4)),
                Case.of(
                        "an atomic of a kind that is none",
                        "0/2/6",
                        t -> atomicRequest(1, 1, 9, t.counter.key(), t.counter.address(), 1, 0, 0, 0)),
                Case.of(
                        "an atomic out of sequence",
                        "1/2/3",
                        t -> fetchAdd(2, 9, t.counter.key(), t.counter.address())),
                Case.of("an atomic in the queue of sends", "1/2/1", t -> {
                    byte[] request = fetchAdd(1, 9, t.counter.key(), t.counter.address());
                    request[9] = 0;
                    return request;
                }),
                Case.of("an atomic that is not the last segment", "1/2/5", t -> {
                    byte[] request = fetchAdd(1, 9, t.counter.key(), t.counter.address());
                    request[0] = 0x01;
                    return request;
                }),
                Case.of("a cut atomic", "0/2/7", t -> untagged(0x41, 0x4A, 0, 1, 1, 0, bytes(51))),
                Case.of("an atomic with payload", "1/2/5", t -> untagged(0x41, 0x4A, 0, 1, 1, 0, bytes(53))),
                Case.of(
                        "a fifth atomic where four were agreed, behind reads",
                        "1/2/2",
                        t -> join(
                                t,
                                5,
                                i -> i < 5
                                        ? readRequest(i, 1, 0, 4096, t.open.key(), t.open.address())
                                        : fetchAdd(5, 9, t.counter.key(), t.counter.address()))),
                Case.of("a tagged atomic", "0/2/6", t -> tagged(0xC1, 0x4A, t.open.key(), 0, bytes(60))),
                Case.of("an atomic's answer to no question", "1/2/2", t -> atomicResponse(1, 1, 0)),
                // Immediate Data (RFC 7306, section 6.3).
                Case.of("immediate data out of sequence", "1/2/3", t -> immediate(2, false, 1)),
                Case.of("short immediate data", "0/2/7", t -> untagged(0x41, 0x48, 0, 0, 1, 0, bytes(7))),
                Case.of("long immediate data", "1/2/5", t -> untagged(0x41, 0x49, 0, 0, 1, 0, bytes(9))),
                Case.of("immediate data in two segments", "1/2/5", t -> untagged(0x01, 0x48, 0, 0, 1, 0, bytes(8))),
                Case.of(
                        "immediate data in the queue of reads",
                        "1/2/1",
                        t -> untagged(0x41, 0x48, 0, 1, 1, 0, bytes(8))),
                Case.of(
                        "immediate data in the middle of a send",
                        "1/2/4",
                        t -> untagged(0x01, 0x43, 0, 0, 1, 0, bytes(8)),
                        t -> immediate(1, false, 1)),
                Case.of(
                        "immediate data as the second segment of a send",
                        "0/2/6",
                        t -> untagged(0x01, 0x43, 0, 0, 1, 0, bytes(0)),
                        t -> immediate(1, false, 1)),
                Case.of(
                        "immediate data without a receive",
                        "1/2/2",
                        t -> immediate(1, false, 1),
                        t -> immediate(2, true, 1),
                        t -> immediate(3, false, 1)),
                // Versions, opcodes, lengths.
                Case.of("DDP version 0 tagged", "1/1/4", t -> tagged(0xC0, 0x40, t.open.key(), 0, bytes(8))),
                Case.of("DDP version 2 tagged", "1/1/4", t -> tagged(0xC2, 0x40, t.open.key(), 0, bytes(8))),
                Case.of("DDP version 3 untagged", "1/2/6", t -> untagged(0x43, 0x43, 0, 0, 1, 0, bytes(8))),
                Case.of("RDMAP version 0", "0/2/5", t -> untagged(0x41, 0x03, 0, 0, 1, 0, bytes(8))),
                Case.of("RDMAP version 3", "0/2/5", t -> tagged(0xC1, 0xC0, t.open.key(), 0, bytes(8))),
                Case.of("opcode 12", "0/2/6", t -> untagged(0x41, 0x4C, 0, 0, 1, 0, bytes(8))),
                Case.of("opcode 15 tagged", "0/2/6", t -> tagged(0xC1, 0x4F, t.open.key(), 0, bytes(8))),
                Case.of("a tagged send", "0/2/6", t -> tagged(0xC1, 0x43, t.open.key(), t.open.address(), bytes(8))),
                Case.of("an untagged write", "0/2/6", t -> untagged(0x41, 0x40, t.open.key(), 0, 1, 0, bytes(8))),
                Case.of("a tagged Terminate", "0/2/6", t -> tagged(0xC1, 0x47, 0, 0, bytes(8))),
                Case.of("an empty ULPDU", "0/2/7", t -> bytes(0)),
                Case.of("a ULPDU of one byte", "0/2/7", t -> bytes(1)),
                Case.of(
                        "a ULPDU that ends in the tagged header",
                        "0/2/7",
                        t -> Arrays.copyOf(write(t.open.key(), t.open.address(), bytes(0)), 13)),
                Case.of("a ULPDU that ends in the untagged header", "0/2/7", t -> Arrays.copyOf(send(1, bytes(0)), 17)),
                // Terminate (RFC 5040, section 4.8).
                Case.of("a Terminate in the queue of sends", "1/2/1", t -> untagged(0x41, 0x47, 0, 0, 1, 0, bytes(4))),
                Case.of("a second Terminate's number", "1/2/3", t -> untagged(0x41, 0x47, 0, 2, 2, 0, bytes(4))),
                Case.of("a Terminate without content", "0/2/7", t -> untagged(0x41, 0x47, 0, 2, 1, 0, bytes(0))));
    }

    private static byte[] join(HostileFramesTest test, int count, IntFunction<byte[]> ulpdu) {
        // Further frames in one write, so that none is answered before the last has come; all but the first are framed.
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (int i = 1; i <= count; i++) {
            byte[] frame = test.peer.frame(ulpdu.apply(i));
            all.write(frame, 0, frame.length);
        }
        return all.toByteArray();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void isTerminated(Case hostile) throws Exception {
        establish(false);

        byte[] last = sendAll(hostile);

        checkEnd(hostile, last);
    }

    @ParameterizedTest(name = "with CRC: {0}")
    @MethodSource("cases")
    void isTerminatedWithCrc(Case hostile) throws Exception {
        establish(true);

        byte[] last = sendAll(hostile);

        checkEnd(hostile, last);
    }

    /** Sends the frames of a case, and returns the last ULPDU, the one to blame. */
    private byte[] sendAll(Case hostile) throws Exception {
        byte[] last = null;
        for (Frame frame : hostile.frames()) {
            last = frame.ulpdu(this);
            if (hostile.what().startsWith("a fifth")) {
                peer.write(last);
                last = hostile.what().contains("atomic")
                        ? fetchAdd(5, 9, counter.key(), counter.address())
                        : readRequest(5, 1, 0, 4096, open.key(), open.address());
            } else {
                peer.send(last);
            }
        }
        return last;
    }

    /** The offending segment's length and DDP header are there, and the RDMA header of a read (RFC 5040, section 4.8). */
    private static void checkShown(RawPeer.Terminate terminate, byte[] blamed) {
        boolean tagged = blamed.length > 0 && (blamed[0] & 0x80) != 0;
        boolean read = blamed.length > 1 && !tagged && (blamed[1] & 0x0F) == 1;
        int header = Math.min(blamed.length, tagged ? 14 : read ? 46 : 18);
        assertThat(terminate.bits()).isEqualTo(read ? 0xE000 : 0xC000);
        assertThat(terminate.rest())
                .isEqualTo(ByteBuffer.allocate(2 + header)
                        .putShort((short) blamed.length)
                        .put(blamed, 0, header)
                        .array());
    }

    private void checkBystanders() throws Exception {
        bystanders.server().receive(new Request(3));
        bystanders.client().send(new Request(4));
        assertThat(bystanders.server().receives().next().status()).isEqualTo(WorkCompletionStatus.SUCCESS);
        assertThat(bystanders.client().sends().next().status()).isEqualTo(WorkCompletionStatus.SUCCESS);
        assertThat(bystanders.client().events().isEmpty()).isTrue();
        assertThat(bystanders.server().events().isEmpty()).isTrue();
    }

    private void checkEnd(Case hostile, byte[] last) throws Exception {
        RawPeer.Terminate terminate = peer.readTerminate();
        assertThat(terminate).isNotNull();
        assertThat(terminate.text()).isEqualTo(hostile.terminate());
        checkShown(terminate, last);
        assertThat(side.events().next("disconnected").error()).isEqualTo(RdmaError.PROTOCOL);
        assertThat(side.queuePair().state()).isEqualTo(QueuePairState.ERROR);
        assertThat(side.receives().next(2)).extracting(Completion::id).containsExactly(1L, 2L);
        for (Memory memory : List.of(open, readOnly, writeOnly, foreign, closed, counter)) {
            assertThat(memory.bytes()).containsOnly(CANARY);
        }
        assertThat(side.events().isEmpty()).isTrue();
        checkBystanders();
    }

    @Test
    @DisplayName("a Terminate shows the segment to blame")
    void showsSegment() throws Exception {
        establish(false);
        byte[] request = readRequest(1, 0x77, 0x88, 8, 0x1234567, 99);

        peer.send(request);

        RawPeer.Terminate terminate = peer.readTerminate();
        assertThat(terminate.bits()).isEqualTo(0xE000);
        assertThat(terminate.rest()).hasSize(2 + 46);
        assertThat(terminate.rest()[1]).isEqualTo((byte) 46);
        assertThat(Arrays.copyOfRange(terminate.rest(), 2, 48)).isEqualTo(request);
    }

    @Test
    @DisplayName("a Terminate shows the header only of a tagged segment to blame")
    void showsTaggedSegment() throws Exception {
        establish(false);
        byte[] request = write(0x1234567, 99, bytes(1000));

        peer.send(request);

        RawPeer.Terminate terminate = peer.readTerminate();
        assertThat(terminate.bits()).isEqualTo(0xC000);
        assertThat(terminate.rest()).hasSize(2 + 14);
        assertThat(Arrays.copyOfRange(terminate.rest(), 2, 16)).isEqualTo(Arrays.copyOf(request, 14));
    }

    @Test
    @DisplayName("a receive that is too short completes with a length error, the next one is flushed")
    void lengthError() throws Exception {
        establish(false);

        peer.send(send(1, bytes(101)));

        assertThat(side.receives().next(2))
                .extracting(Completion::status)
                .containsExactly(WorkCompletionStatus.LOCAL_LENGTH_ERROR, WorkCompletionStatus.FLUSHED);
    }

    @Test
    @DisplayName("a wrong CRC gets Terminate 2/0/2, and none of the frame's bytes reaches memory")
    void wrongCrc() throws Exception {
        establish(true);
        byte[] payload = new byte[4000];
        Arrays.fill(payload, (byte) 7);
        byte[] frame = peer.frame(write(open.key(), open.address(), payload));
        frame[frame.length - 1] ^= 1;

        peer.write(frame);

        RawPeer.Terminate terminate = peer.readTerminate();
        assertThat(terminate.text()).isEqualTo("2/0/2");
        assertThat(terminate.bits()).isZero();
        assertThat(open.bytes()).containsOnly(CANARY);
        assertThat(side.events().next("disconnected").error()).isEqualTo(RdmaError.PROTOCOL);
    }

    @Test
    @DisplayName("zero-length writes need no valid STag")
    void zeroLengthWrite() throws Exception {
        establish(false);

        peer.send(write(0x1234567, -1, bytes(0)));
        peer.send(send(1, bytes(8)));

        assertThat(side.receives().next().status()).isEqualTo(WorkCompletionStatus.SUCCESS);
    }

    @Test
    @DisplayName("zero-length reads need no valid STag")
    void zeroLengthRead() throws Exception {
        establish(false);

        peer.send(readRequest(1, 0x55, 0x66, 0, 0x1234567, -1));

        assertThat(peer.read()).isEqualTo(readResponse(0x55, 0x66, bytes(0), true));
    }
}
