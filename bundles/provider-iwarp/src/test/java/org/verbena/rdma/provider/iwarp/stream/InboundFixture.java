package org.verbena.rdma.provider.iwarp.stream;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.verbena.rdma.Access;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.provider.iwarp.loop.EventLoops;
import org.verbena.rdma.provider.iwarp.memory.IwarpProtectionDomain;
import org.verbena.rdma.provider.iwarp.memory.StagTable;
import org.verbena.rdma.provider.iwarp.mpa.Agreement;
import org.verbena.rdma.provider.iwarp.peer.Completion;
import org.verbena.rdma.provider.iwarp.peer.Memory;
import org.verbena.rdma.provider.iwarp.peer.RawPeer;
import org.verbena.rdma.provider.iwarp.peer.Request;
import org.verbena.rdma.provider.iwarp.queue.CompletionRing;
import org.verbena.rdma.provider.iwarp.queue.ReceiveRing;
import org.verbena.rdma.provider.iwarp.queue.SendRing;

/** The receiving half of a stream alone, fed by the test, on the test's thread. */
final class InboundFixture implements AutoCloseable {
    private final EventLoops loops;
    private final IwarpProtectionDomain domain;
    private final CompletionRing completions = new CompletionRing(64, () -> {});
    private final ReceiveRing receives = new ReceiveRing(32, 4);
    private final OutstandingReads reads = new OutstandingReads(4);
    private final ReadResponses responses = new ReadResponses(4);
    private final SendQueue sends;
    private final Inbound inbound;
    private final StreamCounters counters = new StreamCounters(null);
    private final boolean crc;

    InboundFixture(boolean crc) throws IOException {
        this.crc = crc;
        loops = EventLoops.start("fixture", 1, Duration.ZERO);
        StreamLoop loop = new StreamLoop(loops.all().get(0));
        StagTable stags = new StagTable(loops);
        domain = new IwarpProtectionDomain(stags);
        sends = new SendQueue(new SendRing(8, 4), completions, counters, 5);
        inbound = new Inbound(
                loop,
                new ReceiveQueue(receives, false, 4, completions, 5),
                sends,
                responses,
                reads,
                new PeerExtensions(true, true),
                counters,
                domain,
                stags,
                new Agreement(crc, false, 4, 4, true, null),
                4);
    }

    Memory memory(int bytes) throws RdmaException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(bytes);
        return new Memory(buffer, domain.registerMemory(buffer.duplicate(), EnumSet.allOf(Access.class)));
    }

    void receive(Request request) throws RdmaException {
        receives.post(request);
    }

    /** Asks for data as the sending half would have. */
    void read(Request request, int sinkStag) throws RdmaException {
        sends.ring().post(request);
        reads.add(sends.next(), sinkStag, request.totalLength());
        sends.started();
        sends.composed(sends.next() - 1, 0);
        sends.written(0);
    }

    Inbound inbound() {
        return inbound;
    }

    ReadResponses responses() {
        return responses;
    }

    List<Completion> poll() throws RdmaException {
        List<Completion> taken = new ArrayList<>();
        completions.poll(
                (id, status, operation, bytes, pair, flags, key, vendor) ->
                        taken.add(new Completion(id, status, operation, bytes, pair, flags, key, vendor)),
                64);
        return taken;
    }

    /** The frames around some ULPDUs, one behind the other. */
    byte[] frames(byte[]... ulpdus) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] ulpdu : ulpdus) {
            all.writeBytes(RawPeer.frame(ulpdu.length, ulpdu, crc));
        }
        return all.toByteArray();
    }

    /** Reads until nothing is there any more. */
    Inbound.Progress drain(ScriptedChannel channel) throws Exception {
        Inbound.Progress progress;
        do {
            progress = inbound.read(channel);
        } while (progress == Inbound.Progress.MORE);
        return progress;
    }

    @Override
    public void close() {
        inbound.discard();
        loops.stop();
    }
}
