package org.verbena.rdma.itests.fuzz;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.verbena.rdma.Access;
import org.verbena.rdma.CompletionQueue;
import org.verbena.rdma.QueuePairConfiguration;
import org.verbena.rdma.QueuePairState;
import org.verbena.rdma.QueuePairType;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.SendOperation;
import org.verbena.rdma.provider.iwarp.loop.EventLoops;
import org.verbena.rdma.provider.iwarp.loop.ReadyHandler;
import org.verbena.rdma.provider.iwarp.memory.IwarpProtectionDomain;
import org.verbena.rdma.provider.iwarp.memory.StagTable;
import org.verbena.rdma.provider.iwarp.mpa.Agreement;
import org.verbena.rdma.provider.iwarp.mpa.ReadyToReceive;
import org.verbena.rdma.provider.iwarp.queue.CompletionRing;
import org.verbena.rdma.provider.iwarp.stream.IwarpQueuePair;
import org.verbena.rdma.provider.iwarp.stream.StreamListener;
import org.verbena.rdma.provider.iwarp.stream.StreamLoop;
import org.verbena.rdma.provider.iwarp.stream.StreamSettings;
import org.verbena.rdma.provider.iwarp.wire.TerminateCode;
import org.verbena.rdma.spi.QueuePairResources;

/**
 * A connection in full operation, in both roles, with and without CRCs, markers and the operations of RFC 7306, between
 * a consumer that posts work and a peer that sends whatever the fuzzer makes, in pieces, and reads or does not.
 *
 * <p>What must hold: no exception leaks; no byte around a region is touched, nor in one that the peer may not write to;
 * what is sent is whole frames with right checksums; who violates the protocol gets a Terminate with a code of the RFCs,
 * as the last frame; the end is told once; each posted request completes exactly once.
 *
 * <p>The input is a script: see {@link #step}. STags and tagged offsets are random numbers that no fuzzer guesses, so small
 * numbers in their place stand for those of the regions.
 */
public final class StreamTarget {
    private static final boolean PLANTED = Boolean.getBoolean("verbena.fuzz.planted");

    /** A planted defect, which the fuzzer has to find, or it is blind: the bounds of a region are off by this. */
    private static final int PLANTED_BYTES = 96;

    /** Added to the number of a region: its offsets count from its end. */
    private static final int FROM_END = 8;

    private static final int MAX_STEPS = 64;
    private static final int MAX_POSTED = 16;
    private static final int MAX_TURNS = 200;
    private static final int RECEIVE = 3;
    private static final List<Set<Access>> RIGHTS = List.of(
            EnumSet.allOf(Access.class),
            EnumSet.of(Access.REMOTE_READ),
            EnumSet.of(Access.LOCAL_WRITE, Access.REMOTE_WRITE),
            EnumSet.of(Access.LOCAL_WRITE),
            EnumSet.of(Access.LOCAL_WRITE, Access.REMOTE_ATOMIC),
            EnumSet.allOf(Access.class),
            EnumSet.noneOf(Access.class));
    private static final int[] SIZES = {512, 256, 9_000, 600, 64, 128, 9_000};
    private static final int READ_ONLY = 1;
    private static final int FOREIGN = 5;
    private static final int SOURCE = 6;
    private static final CompletionQueue UNUSED = (CompletionQueue) Proxy.newProxyInstance(
            CompletionQueue.class.getClassLoader(),
            new Class<?>[] {CompletionQueue.class},
            (self, method, arguments) -> null);

    private static final EventLoops LOOPS = loops();
    private static final StreamLoop LOOP = new StreamLoop(LOOPS.all().get(0));
    private static final StagTable STAGS = new StagTable(LOOPS);
    private static final List<ByteBuffer> BUFFERS = buffers();

    private final Input input;
    private final boolean crc;
    private final boolean extensions;
    private final boolean markers;
    private final FakeChannel channel = new FakeChannel();
    private final FakeKey key = new FakeKey(channel);
    private final List<GuardedMemory> memories = new ArrayList<>();
    private final CompletionRing completions = new CompletionRing(256, () -> {});
    private final Set<Long> open = new HashSet<>();
    private final IwarpQueuePair queuePair;
    private RdmaError ended;
    private long posted;
    private int sends;
    private int receives;
    private boolean reads = true;
    private boolean closedMemory;

    /** Whether this side had said that it sends no more before the end came. */
    private boolean silent;

    private StreamTarget(byte[] data) throws RdmaException {
        input = new Input(data);
        int flags = input.octet();
        int depth = input.octet();
        crc = (flags & 1) != 0;
        boolean initiator = (flags & 2) != 0;
        extensions = (flags & 4) != 0;
        markers = (flags & 8) != 0;
        ReadyToReceive form = (flags & 16) == 0 ? null : ReadyToReceive.values()[(flags >> 5) % 3];
        IwarpProtectionDomain domain = new IwarpProtectionDomain(STAGS);
        IwarpProtectionDomain other = new IwarpProtectionDomain(STAGS);
        for (int i = 0; i < SIZES.length; i++) {
            memories.add(new GuardedMemory(
                    i == FOREIGN ? other : domain,
                    BUFFERS.get(i),
                    RIGHTS.get(i),
                    PLANTED && i == 0 ? PLANTED_BYTES : 0));
        }
        queuePair = new IwarpQueuePair(
                1,
                LOOP,
                STAGS,
                new QueuePairResources(domain, completions, completions, null),
                new QueuePairConfiguration(
                        QueuePairType.RELIABLE_CONNECTED, UNUSED, UNUSED, null, MAX_POSTED, MAX_POSTED, 2, 2, 0),
                () -> {});
        Agreement agreement = new Agreement(crc, markers, depth & 7, depth >> 3 & 7, initiator, form);
        Duration time = Duration.ofHours(1);
        queuePair.connect(
                channel, agreement, new StreamSettings(1_448, extensions, time, time, false), new StreamListener() {
                    @Override
                    public void begun() {
                        HandshakeTarget.check(!initiator, "the initiator is told of a begin");
                    }

                    @Override
                    public void ended(RdmaError status) {
                        HandshakeTarget.check(ended == null, "an end that is told twice");
                        ended = status;
                    }
                });
    }

    private static EventLoops loops() {
        try {
            return EventLoops.start("fuzz", 1, Duration.ZERO);
        } catch (IOException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private static List<ByteBuffer> buffers() {
        List<ByteBuffer> buffers = new ArrayList<>();
        for (int size : SIZES) {
            buffers.add(GuardedMemory.allocate(size));
        }
        return buffers;
    }

    /** What Jazzer calls. */
    public static void fuzzerTestOneInput(byte[] data) {
        Throwable[] failure = new Throwable[1];
        LOOPS.all().get(0).executeAndWait(() -> {
            try {
                new StreamTarget(data).run();
            } catch (RdmaException | RuntimeException | Error e) {
                failure[0] = e;
            }
        });
        if (failure[0] != null) {
            throw new AssertionError(failure[0]);
        }
    }

    private void run() throws RdmaException {
        try {
            queuePair.start(key);
            for (int i = 0; i < MAX_STEPS && !input.isOver(); i++) {
                step();
            }
            channel.takes(Integer.MAX_VALUE);
            turn();
            checkTraffic();
            channel.end();
            turn();
            queuePair.close();
            checkEnd();
        } finally {
            queuePair.close();
            memories.forEach(memory -> memory.region().close());
        }
    }

    /** One step: the peer sends a frame, or bytes, or reads less; the consumer posts, closes memory, or disconnects. */
    private void step() throws RdmaException {
        int what = input.octet();
        switch (what & 15) {
            case 8 -> feed(input.take(input.octet()), 1 << 16);
            case 9 -> receive();
            case 10 -> send(SendOperation.values()[input.octet() % SendOperation.values().length]);
            case 11 -> {
                reads = !reads;
                channel.takes(reads ? Integer.MAX_VALUE : input.number());
                turn();
            }
            case 12 -> queuePair.finish();
            case 13 -> {
                closedMemory = true;
                memories.get(input.octet() % memories.size()).region().close();
            }
            default -> {
                byte[] ulpdu = input.take((what & 4) == 0 ? input.octet() : input.number());
                name(ulpdu);
                feed(Frames.around(ulpdu, crc), what < 128 ? 1 << 16 : 1 + input.octet());
            }
        }
    }

    /** Puts the STags and tagged offsets of regions where small numbers stand for them. */
    private void name(byte[] ulpdu) {
        if (ulpdu.length < 14) {
            return;
        }
        int opcode = ulpdu[1] & 0x0F;
        boolean tagged = (ulpdu[0] & 0x80) != 0;
        if (tagged && opcode != 2) {
            name(ulpdu, 2, 6);
        } else if (!tagged && (opcode == 4 || opcode == 6)) {
            name(ulpdu, 2, -1);
        } else if (!tagged && opcode == 1) {
            name(ulpdu, 34, 38);
        } else if (!tagged && opcode == 10) {
            name(ulpdu, 26, 30);
        }
    }

    private void name(byte[] ulpdu, int stagAt, int offsetAt) {
        ByteBuffer bytes = ByteBuffer.wrap(ulpdu);
        if (ulpdu.length < Math.max(stagAt + 4, offsetAt + 8)) {
            return;
        }
        int number = bytes.getInt(stagAt);
        int index = number & ~FROM_END;
        if (index >= 0 && index < memories.size()) {
            GuardedMemory memory = memories.get(index);
            bytes.putInt(stagAt, memory.region().remoteKey());
            if (offsetAt >= 0) {
                long from = memory.region().remoteAddress() + (number == index ? 0 : memory.size());
                bytes.putLong(offsetAt, bytes.getLong(offsetAt) + from);
            }
        }
    }

    private void feed(byte[] bytes, int piece) {
        int parts = Math.max(piece, bytes.length / 64 + 1);
        for (int from = 0; from < bytes.length; from += parts) {
            channel.feed(bytes, from, Math.min(parts, bytes.length - from));
            turn();
        }
    }

    private void receive() throws RdmaException {
        if (receives++ < MAX_POSTED) {
            open.add(posted);
            int at = input.octet();
            queuePair.postReceive(
                    new Work(posted++, SendOperation.SEND, 0, 0).segment(memories.get(RECEIVE), at, input.octet()));
        }
    }

    private void send(SendOperation operation) throws RdmaException {
        if (sends++ < MAX_POSTED) {
            open.add(posted);
            int number = input.octet();
            // What is sent must not change before it is, or its checksum is wrong: it comes from where nobody writes.
            GuardedMemory memory =
                    switch (operation) {
                        case READ, COMPARE_AND_SWAP, FETCH_AND_ADD -> memories.get(number % FOREIGN);
                        default -> memories.get((number & 1) == 0 ? SOURCE : READ_ONLY);
                    };
            boolean atomic = operation == SendOperation.COMPARE_AND_SWAP || operation == SendOperation.FETCH_AND_ADD;
            int length = atomic ? Long.BYTES : input.number();
            queuePair.postSend(new Work(posted++, operation, input.octet(), input.octet()).segment(memory, 0, length));
            turn();
        }
    }

    /** What the loop would do while the channel is ready. */
    private void turn() {
        for (int i = 0; i < MAX_TURNS && key.isValid(); i++) {
            silent = ended == null ? channel.isOutputShut() : silent;
            int operations = key.interestOps() & SelectionKey.OP_READ | SelectionKey.OP_WRITE;
            ((ReadyHandler) key.attachment()).ready(operations);
            if (!channel.hasInput() || (key.interestOps() & SelectionKey.OP_READ) == 0) {
                return;
            }
        }
    }

    private void checkTraffic() {
        if (!markers) {
            boolean whole = !channel.isOpen() || ended == null || channel.isOutputShut();
            // Of memory that is closed while a frame of it is half written, the rest must not be sent.
            boolean cut = ended == RdmaError.CONNECTION_RESET || closedMemory && ended != null;
            int terminate = Frames.check(channel.written(), crc, whole && !cut, extensions);
            HandshakeTarget.check(
                    ended != RdmaError.PROTOCOL || terminate >= 0 || closedMemory || silent,
                    "a violation without a Terminate");
            HandshakeTarget.check(
                    terminate < 0 || TerminateCode.of(terminate) != null, "a Terminate with a code that is none");
        }
        HandshakeTarget.check(ended != RdmaError.INPUT_OUTPUT, "an exception, see above");
        HandshakeTarget.check(
                ended == null == (queuePair.state() == QueuePairState.READY), "an end that is not told, or none");
    }

    private void checkEnd() throws RdmaException {
        for (int i = 0; i < memories.size(); i++) {
            HandshakeTarget.check(memories.get(i).isGuardWhole(), "bytes around region " + i + " were touched");
        }
        HandshakeTarget.check(memories.get(READ_ONLY).isUntouched(), "a region for reading was written to");
        HandshakeTarget.check(memories.get(SOURCE).isUntouched(), "a region for sending was written to");
        HandshakeTarget.check(memories.get(FOREIGN).isUntouched(), "a region of another domain was written to");
        completions.poll(
                (id, status, operation, bytes, pair, flags, keyOrImmediate, vendor) ->
                        HandshakeTarget.check(open.remove(id), "request " + id + " has completed twice"),
                256);
        HandshakeTarget.check(open.isEmpty(), "requests " + open + " have not completed");
    }
}
