package org.verbena.rdma.provider.iwarp.stream;

import java.io.IOException;
import java.nio.channels.GatheringByteChannel;
import org.verbena.rdma.SendOperation;
import org.verbena.rdma.WorkCompletionStatus;
import org.verbena.rdma.provider.iwarp.memory.IwarpProtectionDomain;
import org.verbena.rdma.provider.iwarp.memory.SegmentCursor;
import org.verbena.rdma.provider.iwarp.mpa.Agreement;
import org.verbena.rdma.provider.iwarp.mpa.ReadyToReceive;
import org.verbena.rdma.provider.iwarp.queue.SendRing;
import org.verbena.rdma.provider.iwarp.wire.AtomicRequestHeader;
import org.verbena.rdma.provider.iwarp.wire.AtomicResponseHeader;
import org.verbena.rdma.provider.iwarp.wire.ExtensionOffer;
import org.verbena.rdma.provider.iwarp.wire.Fpdu;
import org.verbena.rdma.provider.iwarp.wire.ImmediateDataHeader;
import org.verbena.rdma.provider.iwarp.wire.Marker;
import org.verbena.rdma.provider.iwarp.wire.Opcode;
import org.verbena.rdma.provider.iwarp.wire.ReadRequestHeader;
import org.verbena.rdma.provider.iwarp.wire.TaggedHeader;
import org.verbena.rdma.provider.iwarp.wire.TerminateCode;
import org.verbena.rdma.provider.iwarp.wire.UntaggedHeader;

/**
 * The sending half of a stream: cuts messages into frames and writes them, many at a time. Requests of the send queue and
 * answers to the peer's reads and atomics take turns, message by message; the segments of two messages never mix.
 *
 * <p>With CRCs, an answer to a read is copied first: the consumer may change memory that the peer reads at any time, and
 * the checksum has to fit what is sent. What a send or a write refers to may not be changed before its completion, so it
 * goes out from where it lies.
 *
 * <p>For a peer that wants markers all payload is copied: they stand in its middle.
 *
 * <p>Loop only.
 */
final class Outbound {
    /** What came of {@link #pump}. */
    enum Progress {
        /** There is nothing to send now. */
        IDLE,
        /** TCP takes no more for now. */
        BLOCKED,
        /** There is more, but others shall have a turn. */
        MORE
    }

    private static final int NONE = -1;
    private static final long TURN_BYTES = 1 << 20;
    private static final int WORTHWHILE_COPY = 8 * 1024;

    private final StreamLoop loop;
    private final SendQueue sends;
    private final SendRing ring;
    private final ReadResponses responses;
    private final OutstandingReads reads;
    private final PeerExtensions extensions;
    private final StreamCounters counters;
    private final IwarpProtectionDomain domain;
    private final boolean crc;
    private final boolean markers;
    private final int ord;
    private final int maxTaggedPayload;
    private final int maxUntaggedPayload;
    private final SegmentCursor segments;

    private Batch batch;
    private boolean open;
    private long limit = Long.MAX_VALUE;
    private long composed;
    private long written;
    private boolean responseFirst;

    /** The message that is being sent: its opcode or NONE, and what the headers of its frames say. */
    private int opcode = NONE;

    private long position;
    private int stag;
    private long taggedOffset;
    private int messageSequenceNumber;
    private long messageOffset;

    private int sendSequence = 1;
    private int readSequence = 1;
    private int atomicResponseSequence = 1;

    Outbound(
            StreamLoop loop,
            SendQueue sends,
            ReadResponses responses,
            OutstandingReads reads,
            PeerExtensions extensions,
            StreamCounters counters,
            IwarpProtectionDomain domain,
            Agreement agreement,
            int maxSegments,
            int segmentBytes) {
        this.loop = loop;
        this.sends = sends;
        this.ring = sends.ring();
        this.responses = responses;
        this.reads = reads;
        this.extensions = extensions;
        this.counters = counters;
        this.domain = domain;
        this.crc = agreement.crc();
        this.markers = agreement.markers();
        this.ord = agreement.ord();
        this.open = agreement.initiator();
        this.segments = new SegmentCursor(maxSegments);
        int aligned = (markers ? withoutMarkers(segmentBytes) : segmentBytes) & ~7;
        this.maxTaggedPayload = aligned - TaggedHeader.BYTES - Fpdu.CRC_BYTES;
        this.maxUntaggedPayload = aligned - UntaggedHeader.BYTES - Fpdu.CRC_BYTES;
    }

    /** The peer may be sent to: always for the initiator, for the responder after the first frame of the initiator. */
    void open() {
        open = true;
    }

    boolean isOpen() {
        return open;
    }

    /** Starts no request from this position on. */
    void limit(long end) {
        limit = end;
    }

    /** Whether all below the limit is sent and answered, and nothing is left that the peer waits for. */
    boolean isDrained() {
        return !open
                || opcode == NONE
                        && sends.next() >= limit
                        && batch == null
                        && responses.isEmpty()
                        && !extensions.isAnswerDue()
                        && reads.count() == 0;
    }

    /** Puts the message that tells the responder that this side is ready in front of all others. */
    void announce(ReadyToReceive form) {
        batch = loop.lendBatch(false);
        switch (form) {
            case WRITE -> {
                int at = beginFrame(TaggedHeader.BYTES);
                TaggedHeader.put(batch.header(), at, Opcode.WRITE, true, 0, 0, 0);
                endFrame(TaggedHeader.BYTES);
            }
            case READ -> {
                int at = beginFrame(ReadRequestHeader.END);
                ReadRequestHeader.put(batch.header(), at, readSequence++, 0, 0, 0, 0, 0);
                endFrame(ReadRequestHeader.END);
                reads.add(OutstandingReads.NO_REQUEST, 0, 0);
            }
            case SEND -> {
                int at = beginFrame(UntaggedHeader.BYTES);
                UntaggedHeader.put(batch.header(), at, Opcode.SEND, true, 0, 0, sendSequence++, 0);
                endFrame(UntaggedHeader.BYTES);
            }
        }
    }

    /** Composes and writes what there is, as far as TCP takes it. */
    Progress pump(GatheringByteChannel channel) throws IOException, LocalFault, StreamFault {
        long end = written + TURN_BYTES;
        while (true) {
            if (batch == null) {
                batch = loop.lendBatch(crc && (opcode == Opcode.READ_RESPONSE || !responses.isEmpty()));
            }
            compose();
            if (batch.isEmpty()) {
                discard();
                return Progress.IDLE;
            }
            if (!batch.isMemoryOpen()) {
                throw new LocalFault();
            }
            written += batch.write(channel);
            boolean blocked = !batch.isEmpty();
            if (!blocked) {
                discard();
            }
            sends.written(written);
            if (blocked) {
                return Progress.BLOCKED;
            }
            if (written >= end) {
                return Progress.MORE;
            }
        }
    }

    /** The request behind a read request that has been sent and is not answered, or -1. */
    long outstandingRead(int messageSequenceNumber) {
        int index = messageSequenceNumber - (readSequence - reads.count());
        return index >= 0 && index < reads.count() ? reads.position(index) : OutstandingReads.NO_REQUEST;
    }

    /** The frames that are not written yet, or {@code null}; see {@link Batch#copyRestOfFrame}. */
    Batch unwritten() {
        return batch;
    }

    /** Where in the stream the frame ends that was written last, wholly or in part. */
    long endOfLastFrame() {
        return written + (batch == null ? 0 : batch.restOfFrame());
    }

    /** Drops what is composed and not written. */
    void discard() {
        if (batch != null) {
            loop.takeBack(batch);
            batch = null;
        }
    }

    private void compose() throws LocalFault, StreamFault {
        while (batch.hasRoom()) {
            if (opcode == NONE && !startMessage()) {
                return;
            }
            if (!composeFrame()) {
                return;
            }
        }
    }

    private boolean startMessage() throws LocalFault, StreamFault {
        if (!open) {
            return false;
        }
        if (extensions.isAnswerDue()) {
            // Before the answer to any read behind the offer.
            startOffer(ExtensionOffer.ANSWER);
            extensions.answerSent();
            return true;
        }
        if (!responses.isEmpty() && (responseFirst || !isSendStartable())) {
            responseFirst = false;
            startResponse();
            return true;
        }
        if (isSendStartable()) {
            responseFirst = true;
            startSend();
            return true;
        }
        return startQuestion();
    }

    private boolean isSendStartable() {
        long next = sends.next();
        if (!isSendThere() || ring.isFenced(next) && reads.count() > 0) {
            return false;
        }
        SendOperation operation = ring.operation(next);
        if (isExtension(operation) && !extensions.areKnown()) {
            return false;
        }
        return !SendQueue.isAnswered(operation) || reads.count() < Math.max(1, ord);
    }

    private boolean isSendThere() {
        return sends.next() < limit && ring.isPublished(sends.next());
    }

    /** Asks the peer whether it takes the next request, if that has to be known and was not asked for yet. */
    private boolean startQuestion() {
        if (!isSendThere() || !isExtension(ring.operation(sends.next()))) {
            return false;
        }
        if (extensions.isOfferDue()) {
            startOffer(ExtensionOffer.OFFER);
            extensions.offerSent();
            return true;
        }
        if (extensions.isQuestionDue() && reads.count() < ord) {
            position = OutstandingReads.QUESTION;
            opcode = Opcode.READ_REQUEST;
            stag = 0;
            taggedOffset = 0;
            extensions.questionSent();
            return true;
        }
        return false;
    }

    private void startOffer(int kind) {
        position = OutstandingReads.NO_REQUEST;
        opcode = Opcode.WRITE;
        stag = kind;
        taggedOffset = ExtensionOffer.TAGGED_OFFSET;
    }

    private static boolean isExtension(SendOperation operation) {
        return switch (operation) {
            case SEND_WITH_IMMEDIATE, WRITE_WITH_IMMEDIATE, COMPARE_AND_SWAP, FETCH_AND_ADD -> true;
            case SEND, SEND_WITH_INVALIDATE, WRITE, READ -> false;
        };
    }

    private void startResponse() throws StreamFault {
        segments.clear();
        position = OutstandingReads.NO_REQUEST;
        if (responses.isAtomic()) {
            opcode = Opcode.ATOMIC_RESPONSE;
            stag = responses.sinkStag();
            taggedOffset = responses.sinkOffset();
            responses.remove();
            return;
        }
        if (responses.size() > 0) {
            if (responses.source().isClosed() || responses.source().isInvalidated()) {
                throw new StreamFault(TerminateCode.INVALID_STAG);
            }
            segments.add(responses.source(), responses.sourceOffset(), responses.size());
        }
        counters.readServed(responses.size());
        opcode = Opcode.READ_RESPONSE;
        stag = responses.sinkStag();
        taggedOffset = responses.sinkOffset();
        responses.remove();
    }

    private void startSend() throws LocalFault {
        position = sends.next();
        sends.started();
        SendOperation operation = ring.operation(position);
        ring.loadSegments(position, segments);
        if (!segments.isUsable(domain, SendQueue.isAnswered(operation))) {
            sends.blame(position, WorkCompletionStatus.LOCAL_PROTECTION_ERROR, 0);
            throw new LocalFault();
        }
        if (isExtension(operation) && !extensions.areTaken() || SendQueue.isAnswered(operation) && ord == 0) {
            throw unable();
        }
        stag = ring.remoteKey(position);
        taggedOffset = ring.remoteAddress(position);
        messageOffset = 0;
        switch (operation) {
            case SEND, SEND_WITH_INVALIDATE -> {
                boolean invalidate = operation == SendOperation.SEND_WITH_INVALIDATE;
                opcode = Opcode.send(ring.isSolicited(position), invalidate);
                stag = invalidate ? stag : 0;
                messageSequenceNumber = sendSequence++;
            }
            case WRITE, WRITE_WITH_IMMEDIATE -> opcode = Opcode.WRITE;
            case READ -> opcode = Opcode.READ_REQUEST;
            case SEND_WITH_IMMEDIATE -> {
                if (segments.remaining() > 0) {
                    // The protocol carries immediate data in a message of its own.
                    throw unable();
                }
                opcode = Opcode.immediate(ring.isSolicited(position));
            }
            case COMPARE_AND_SWAP, FETCH_AND_ADD -> {
                if (segments.remaining() != Long.BYTES) {
                    throw unable();
                }
                opcode = Opcode.ATOMIC_REQUEST;
            }
        }
    }

    private LocalFault unable() {
        sends.blame(position, WorkCompletionStatus.LOCAL_QUEUE_PAIR_OPERATION_ERROR, 0);
        return new LocalFault();
    }

    /** Composes the next frame of the message; {@code false} if what there is has to be written first. */
    private boolean composeFrame() throws LocalFault, StreamFault {
        switch (opcode) {
            case Opcode.READ_REQUEST -> composeReadRequest();
            case Opcode.ATOMIC_REQUEST -> composeAtomicRequest();
            case Opcode.ATOMIC_RESPONSE -> composeAtomicResponse();
            case Opcode.IMMEDIATE, Opcode.IMMEDIATE_SOLICITED -> composeImmediate();
            default -> {
                return composeSegment();
            }
        }
        return true;
    }

    private boolean composeSegment() throws LocalFault, StreamFault {
        boolean tagged = Opcode.isTagged(opcode);
        int payload = (int) Math.min(segments.remaining(), tagged ? maxTaggedPayload : maxUntaggedPayload);
        boolean copied = markers || payload <= Batch.COPIED_PAYLOAD;
        if (payload > Batch.COPIED_PAYLOAD && (markers || crc && opcode == Opcode.READ_RESPONSE)) {
            int room = markers ? withoutMarkers(batch.copyRoom()) : batch.copyRoom();
            if (room < Math.min(payload, WORTHWHILE_COPY)) {
                return false;
            }
            payload = Math.min(payload, room & ~7);
            copied = true;
        }
        boolean last = payload == segments.remaining();
        if (tagged) {
            int at = beginFrame(TaggedHeader.BYTES);
            TaggedHeader.put(batch.header(), at, opcode, last, payload, stag, taggedOffset);
            taggedOffset += payload;
        } else {
            int at = beginFrame(UntaggedHeader.BYTES);
            UntaggedHeader.put(batch.header(), at, opcode, last, payload, stag, messageSequenceNumber, messageOffset);
            messageOffset += payload;
        }
        addPayload(payload, copied);
        endFrame((tagged ? TaggedHeader.BYTES : UntaggedHeader.BYTES) + payload);
        if (!last) {
            return true;
        }
        if (position >= 0 && ring.operation(position) == SendOperation.WRITE_WITH_IMMEDIATE) {
            // Right behind the write, as the second half of the same request (RFC 7306, section 6).
            opcode = Opcode.immediate(ring.isSolicited(position));
        } else {
            endMessage();
        }
        return true;
    }

    private void composeImmediate() {
        int at = beginFrame(ImmediateDataHeader.END);
        boolean solicited = Opcode.isSolicited(opcode);
        ImmediateDataHeader.put(batch.header(), at, solicited, sendSequence++, ring.immediateData(position));
        endFrame(ImmediateDataHeader.END);
        endMessage();
    }

    private void composeAtomicRequest() {
        int identifier = (int) position + 1;
        int at = beginFrame(AtomicRequestHeader.END);
        int sequence = readSequence++;
        long operand = ring.compareOrAdd(position);
        if (ring.operation(position) == SendOperation.FETCH_AND_ADD) {
            AtomicRequestHeader.putFetchAdd(batch.header(), at, sequence, identifier, stag, taggedOffset, operand);
        } else {
            AtomicRequestHeader.putCompareSwap(
                    batch.header(), at, sequence, identifier, stag, taggedOffset, operand, ring.swap(position));
        }
        endFrame(AtomicRequestHeader.END);
        reads.addAtomic(position, identifier);
        endMessage();
    }

    private void composeAtomicResponse() {
        int at = beginFrame(AtomicResponseHeader.END);
        AtomicResponseHeader.put(batch.header(), at, atomicResponseSequence++, stag, taggedOffset);
        endFrame(AtomicResponseHeader.END);
        endMessage();
    }

    private void composeReadRequest() {
        int sinkStag = (int) position + 1;
        int at = beginFrame(ReadRequestHeader.END);
        long size = segments.remaining();
        ReadRequestHeader.put(batch.header(), at, readSequence++, sinkStag, 0, size, stag, taggedOffset);
        endFrame(ReadRequestHeader.END);
        reads.add(position, sinkStag, size);
        endMessage();
    }

    private int beginFrame(int headerBytes) {
        return batch.beginFrame(headerBytes, crc, markers ? composed : -1);
    }

    private void addPayload(int payload, boolean copied) throws LocalFault, StreamFault {
        boolean done = copied ? batch.copy(segments, payload) : batch.refer(segments, payload);
        if (!done) {
            if (opcode == Opcode.READ_RESPONSE) {
                throw new StreamFault(TerminateCode.INVALID_STAG);
            }
            sends.blame(position, WorkCompletionStatus.LOCAL_PROTECTION_ERROR, 0);
            throw new LocalFault();
        }
    }

    private void endFrame(int bytesWithoutTrailer) {
        composed += batch.endFrame(Fpdu.padding(bytesWithoutTrailer - Fpdu.LENGTH_BYTES));
    }

    /** What is left of some bytes of the stream when markers have taken theirs. */
    private static int withoutMarkers(int bytes) {
        return bytes - Marker.BYTES * (bytes / Marker.INTERVAL + 1);
    }

    private void endMessage() {
        if (position >= 0) {
            sends.composed(position, composed);
        }
        opcode = NONE;
        segments.clear();
    }
}
