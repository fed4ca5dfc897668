package org.verbena.rdma.provider.iwarp.stream;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ScatteringByteChannel;
import java.util.zip.CRC32C;
import org.verbena.rdma.WorkCompletionStatus;
import org.verbena.rdma.provider.iwarp.memory.IwarpProtectionDomain;
import org.verbena.rdma.provider.iwarp.memory.RegisteredMemory;
import org.verbena.rdma.provider.iwarp.memory.SegmentCursor;
import org.verbena.rdma.provider.iwarp.memory.StagTable;
import org.verbena.rdma.provider.iwarp.mpa.Agreement;
import org.verbena.rdma.provider.iwarp.mpa.ReadyToReceive;
import org.verbena.rdma.provider.iwarp.wire.AtomicRequestHeader;
import org.verbena.rdma.provider.iwarp.wire.AtomicResponseHeader;
import org.verbena.rdma.provider.iwarp.wire.Control;
import org.verbena.rdma.provider.iwarp.wire.Fpdu;
import org.verbena.rdma.provider.iwarp.wire.ImmediateDataHeader;
import org.verbena.rdma.provider.iwarp.wire.Opcode;
import org.verbena.rdma.provider.iwarp.wire.ReadRequestHeader;
import org.verbena.rdma.provider.iwarp.wire.TaggedHeader;
import org.verbena.rdma.provider.iwarp.wire.TerminateCode;
import org.verbena.rdma.provider.iwarp.wire.TerminateHeader;
import org.verbena.rdma.provider.iwarp.wire.UntaggedHeader;

/**
 * The receiving half of a stream: takes bytes from TCP, checks each field of each header before it is used, and puts
 * payload where it belongs.
 *
 * <p>When bytes land. Without CRCs a header is checked as soon as it is there. Payload of which {@link #DIRECT_MINIMUM}
 * bytes or more are still to come is then read by TCP straight into the registered memory; shorter payload comes along
 * with the frames around it and is copied once. With CRCs nothing of a frame is believed before the CRC of the whole
 * frame is right, its STag and offset included: frames are gathered in a staging buffer, and payload is copied once from
 * there. So no byte of a frame whose CRC is wrong reaches memory.
 *
 * <p>Between turns a stream keeps the few bytes of a header that is cut. With CRCs it keeps the frame that is cut: some
 * streams of a loop with the buffer that it is in, the others in a buffer of the frame's length. Loop only.
 */
final class Inbound {
    /** What came of {@link #read}. */
    enum Progress {
        /** All that TCP had is taken. */
        IDLE,
        /** There may be more, but others shall have a turn. */
        MORE,
        /** The peer sends nothing any more, and the last frame is complete. */
        END,
        /** The peer sends nothing any more, and has broken off inside of a frame. */
        BROKEN
    }

    /** From how much payload on it is read straight into memory. */
    static final int DIRECT_MINIMUM = 4 * 1024;

    private static final int DIRECT_TAIL = 1024;
    private static final int CARRY_BYTES = 256;
    private static final int TURN_READS = 16;
    private static final long TURN_BYTES = 1 << 20;
    private static final int MAX_TERMINATE_ULPDU = 160;
    private static final int MIN_ULPDU = TaggedHeader.BYTES - Fpdu.LENGTH_BYTES;

    /** How much of a header is looked at before the first byte of payload. */
    private static final int MAX_HEADER = AtomicRequestHeader.END;

    private enum Stage {
        HEADER,
        PAYLOAD,
        TRAILER
    }

    private final StreamLoop loop;
    private final ReceiveQueue receives;
    private final SendQueue sends;
    private final ReadResponses responses;
    private final OutstandingReads reads;
    private final PeerExtensions extensions;
    private final StreamCounters counters;
    private final IwarpProtectionDomain domain;
    private final StagTable stags;
    private final boolean crcUsed;
    private final CRC32C crc = new CRC32C();
    private final SegmentCursor placement;
    private final SegmentCursor readSegments;
    private final ByteBuffer header = ByteBuffer.allocate(MAX_HEADER);
    private ByteBuffer carry = ByteBuffer.allocate(CARRY_BYTES);
    private ReadyToReceive expected;

    private ByteBuffer staging;
    private boolean kept;

    private Stage stage = Stage.HEADER;
    private int opcode;
    private boolean last;
    private int payloadLeft;
    private int trailerLeft;

    /** The last frame was long; so may be the next, of which no more than the header is to be read beside its place. */
    private boolean longFrames;

    private SegmentCursor sink;

    private boolean begun;
    private boolean justReceived;
    private int sendSequence = 1;
    private int readSequence = 1;
    private int atomicResponseSequence = 1;
    private boolean receiving;
    private int receivingOpcode;
    private long received;
    private int invalidateStag;
    private boolean answering;
    private long answered;

    /** How much of the write that is coming in has come so far. */
    private long writing;

    /** How long the write was that ended with the last frame, or -1. */
    private long justWritten = -1;

    Inbound(
            StreamLoop loop,
            ReceiveQueue receives,
            SendQueue sends,
            ReadResponses responses,
            OutstandingReads reads,
            PeerExtensions extensions,
            StreamCounters counters,
            IwarpProtectionDomain domain,
            StagTable stags,
            Agreement agreement,
            int maxSegments) {
        this.loop = loop;
        this.receives = receives;
        this.sends = sends;
        this.responses = responses;
        this.reads = reads;
        this.extensions = extensions;
        this.counters = counters;
        this.domain = domain;
        this.stags = stags;
        this.crcUsed = agreement.crc();
        this.placement = new SegmentCursor(1);
        this.readSegments = new SegmentCursor(maxSegments);
        this.expected = agreement.initiator() ? null : agreement.readyToReceive();
        carry.limit(0);
    }

    /** Whether a frame has come, be it the first message or the one that tells that the peer is ready. */
    boolean hasBegun() {
        return begun;
    }

    /** Whether the last {@link #read} found something. */
    boolean hasJustReceived() {
        return justReceived;
    }

    /** Whether the peer has sent a part of a frame. */
    boolean isInsideFrame() {
        return stage != Stage.HEADER || carry.hasRemaining() || kept;
    }

    /** The header of the frame that a fault was found in, from offset 0. */
    ByteBuffer offendingHeader() {
        return header;
    }

    /** Takes what TCP has. */
    Progress read(ScatteringByteChannel channel) throws IOException, StreamFault, LocalFault, PeerTerminated {
        takeStaging();
        justReceived = false;
        try {
            long total = 0;
            for (int reads = 0; reads < TURN_READS && total < TURN_BYTES; reads++) {
                long wanted;
                long count;
                if (stage == Stage.PAYLOAD && payloadLeft >= DIRECT_MINIMUM && !crcUsed) {
                    wanted = (long) payloadLeft + DIRECT_TAIL;
                    count = readDirect(channel);
                } else {
                    if (stage == Stage.HEADER && longFrames && !crcUsed) {
                        staging.limit(staging.position() + DIRECT_TAIL);
                    }
                    wanted = staging.remaining();
                    count = channel.read(staging);
                    staging.limit(staging.capacity());
                }
                if (count < 0) {
                    staging.flip();
                    boolean clean = stage == Stage.HEADER && !staging.hasRemaining();
                    return clean ? Progress.END : Progress.BROKEN;
                }
                total += count;
                justReceived |= count > 0;
                staging.flip();
                consume(staging);
                staging.compact();
                if (count < wanted) {
                    return Progress.IDLE;
                }
            }
            return Progress.MORE;
        } finally {
            giveStaging();
        }
    }

    /** Gives up what is kept. */
    void discard() {
        if (kept) {
            kept = false;
            loop.keepsNoMore();
            loop.takeBack(staging);
            staging = null;
        }
        carry = ByteBuffer.allocate(0);
    }

    private void takeStaging() {
        if (kept) {
            kept = false;
            loop.keepsNoMore();
            return;
        }
        staging = loop.lendStaging();
        staging.put(carry);
        if (carry.capacity() > CARRY_BYTES) {
            carry = ByteBuffer.allocate(CARRY_BYTES);
        }
        carry.limit(0);
    }

    private void giveStaging() {
        int left = staging.position();
        if (left > CARRY_BYTES && loop.keep()) {
            kept = true;
            return;
        }
        if (left > carry.capacity()) {
            carry = ByteBuffer.allocate(left);
        }
        carry.clear();
        carry.put(0, staging, 0, left).limit(left);
        loop.takeBack(staging);
        staging = null;
    }

    private long readDirect(ScatteringByteChannel channel) throws IOException, LocalFault, StreamFault {
        ByteBuffer[] scatter = loop.scatter();
        int index = loop.loop().index();
        int views = sink.lendViews(index, payloadLeft, scatter, 0);
        if (views < 0) {
            throw memoryGone();
        }
        // Between frames all of the staging buffer has been consumed, so it is empty here.
        staging.limit(DIRECT_TAIL);
        scatter[views] = staging;
        long count;
        try {
            count = channel.read(scatter, 0, views + 1);
        } finally {
            scatter[views] = null;
            sink.takeBack(index, scatter, 0, views);
            staging.limit(staging.capacity());
        }
        if (count > 0) {
            int placed = (int) Math.min(count, payloadLeft);
            sink.advance(placed);
            payloadLeft -= placed;
        }
        return count;
    }

    private void consume(ByteBuffer from) throws StreamFault, LocalFault, PeerTerminated {
        while (true) {
            if (stage == Stage.HEADER && !beginFrame(from)) {
                return;
            }
            if (stage == Stage.PAYLOAD) {
                int bytes = Math.min(payloadLeft, from.remaining());
                if (bytes > 0) {
                    if (!sink.put(from, from.position(), bytes)) {
                        throw memoryGone();
                    }
                    from.position(from.position() + bytes);
                    payloadLeft -= bytes;
                }
                if (payloadLeft > 0) {
                    return;
                }
                stage = Stage.TRAILER;
            }
            int bytes = Math.min(trailerLeft, from.remaining());
            from.position(from.position() + bytes);
            trailerLeft -= bytes;
            if (trailerLeft > 0) {
                return;
            }
            stage = Stage.HEADER;
            endFrame();
        }
    }

    /** Looks at the header of the next frame; {@code false} if too little of the frame is there. */
    private boolean beginFrame(ByteBuffer from) throws StreamFault, LocalFault, PeerTerminated {
        int at = from.position();
        int there = from.remaining();
        if (there < Fpdu.LENGTH_BYTES) {
            return false;
        }
        int ulpdu = Fpdu.ulpduLength(from, at);
        if (crcUsed) {
            if (there < Fpdu.bytes(ulpdu)) {
                return false;
            }
            checkCrc(from, at, Fpdu.bytes(ulpdu));
        }
        header.clear();
        if (ulpdu < MIN_ULPDU) {
            header.put(0, from, at, Math.min(there, Fpdu.LENGTH_BYTES + ulpdu));
            throw new StreamFault(TerminateCode.CATASTROPHIC_STREAM);
        }
        if (there < Control.END) {
            return false;
        }
        opcode = Control.opcode(from, at);
        boolean tagged = Control.isTagged(from, at);
        int bytes = tagged ? TaggedHeader.BYTES : Math.max(UntaggedHeader.BYTES, Opcode.headerBytes(opcode));
        if (opcode == Opcode.TERMINATE && !tagged && ulpdu <= MAX_TERMINATE_ULPDU) {
            bytes = Fpdu.LENGTH_BYTES + ulpdu;
        }
        if (there < Math.min(bytes, Fpdu.LENGTH_BYTES + ulpdu)) {
            return false;
        }
        header.put(0, from, at, Math.min(MAX_HEADER, Math.min(bytes, Fpdu.LENGTH_BYTES + ulpdu)));
        checkControl(tagged);
        if (ulpdu < bytes - Fpdu.LENGTH_BYTES) {
            throw new StreamFault(TerminateCode.CATASTROPHIC_STREAM);
        }
        last = Control.isLast(header, 0);
        payloadLeft = Fpdu.LENGTH_BYTES + ulpdu - bytes;
        trailerLeft = Fpdu.padding(ulpdu) + Fpdu.CRC_BYTES;
        longFrames = payloadLeft >= DIRECT_MINIMUM + DIRECT_TAIL;
        switch (opcode) {
            case Opcode.WRITE -> beginWrite();
            case Opcode.READ_RESPONSE -> beginReadResponse();
            case Opcode.READ_REQUEST -> beginReadRequest();
            case Opcode.TERMINATE -> throw terminated(from, at, bytes);
            case Opcode.IMMEDIATE, Opcode.IMMEDIATE_SOLICITED -> beginImmediate();
            case Opcode.ATOMIC_REQUEST -> beginAtomicRequest();
            case Opcode.ATOMIC_RESPONSE -> beginAtomicResponse();
            default -> beginSend();
        }
        from.position(at + bytes);
        stage = Stage.PAYLOAD;
        return true;
    }

    private void checkCrc(ByteBuffer from, int at, int frameBytes) throws StreamFault {
        int limit = from.limit();
        int end = at + frameBytes - Fpdu.CRC_BYTES;
        crc.reset();
        crc.update(from.limit(end));
        from.limit(limit).position(at);
        if (Fpdu.crc(from, end) != (int) crc.getValue()) {
            throw new StreamFault(TerminateCode.MPA_CRC);
        }
    }

    private void checkControl(boolean tagged) throws StreamFault {
        if (!Control.isDdpVersionValid(header, 0)) {
            throw new StreamFault(
                    tagged ? TerminateCode.TAGGED_INVALID_DDP_VERSION : TerminateCode.UNTAGGED_INVALID_DDP_VERSION);
        }
        if (!Control.isRdmapVersionValid(header, 0)) {
            throw new StreamFault(TerminateCode.INVALID_RDMAP_VERSION);
        }
        if (!Opcode.isKnown(opcode, extensions.areOffered()) || Opcode.isTagged(opcode) != tagged) {
            throw new StreamFault(TerminateCode.UNEXPECTED_OPCODE);
        }
    }

    private void beginWrite() throws StreamFault {
        placement.clear();
        sink = placement;
        if (payloadLeft == 0) {
            // Nothing is placed, so STag and offset mean nothing (RFC 5041, section 5.1).
            return;
        }
        int stag = TaggedHeader.stag(header, 0);
        long offset = TaggedHeader.taggedOffset(header, 0);
        RegisteredMemory memory = stags.find(stag);
        if (memory == null || memory.isInvalidated()) {
            throw new StreamFault(TerminateCode.TAGGED_INVALID_STAG);
        }
        if (!memory.isIn(domain)) {
            throw new StreamFault(TerminateCode.TAGGED_STAG_NOT_ASSOCIATED);
        }
        if (!memory.allowsRemoteWrite()) {
            throw new StreamFault(TerminateCode.ACCESS_RIGHTS);
        }
        if (wraps(offset, payloadLeft)) {
            throw new StreamFault(TerminateCode.TAGGED_OFFSET_WRAPS);
        }
        if (!memory.contains(offset, payloadLeft)) {
            throw new StreamFault(TerminateCode.TAGGED_BASE_OR_BOUNDS);
        }
        placement.add(memory, memory.offsetOf(offset), payloadLeft);
    }

    private void beginReadResponse() throws StreamFault, LocalFault {
        if (reads.count() == 0 || reads.isAtomic()) {
            throw new StreamFault(TerminateCode.UNEXPECTED_OPCODE);
        }
        if (TaggedHeader.stag(header, 0) != reads.sinkStag()) {
            throw new StreamFault(TerminateCode.TAGGED_INVALID_STAG);
        }
        if (!answering) {
            answering = true;
            answered = 0;
            readSegments.clear();
            if (reads.position() >= 0) {
                sends.ring().loadSegments(reads.position(), readSegments);
                if (!readSegments.isUsable(domain, true)) {
                    sends.blame(reads.position(), WorkCompletionStatus.LOCAL_PROTECTION_ERROR, 0);
                    throw new LocalFault();
                }
            }
        }
        long left = reads.size() - answered;
        if (TaggedHeader.taggedOffset(header, 0) != answered || payloadLeft > left) {
            throw new StreamFault(TerminateCode.TAGGED_BASE_OR_BOUNDS);
        }
        if (last && payloadLeft < left) {
            throw new StreamFault(TerminateCode.CATASTROPHIC_STREAM);
        }
        answered += payloadLeft;
        sink = readSegments;
    }

    private void beginReadRequest() throws StreamFault {
        checkQuestion();
        long size = ReadRequestHeader.size(header, 0);
        RegisteredMemory memory = null;
        int offset = 0;
        if (size > 0) {
            memory = stags.find(ReadRequestHeader.sourceStag(header, 0));
            long taggedOffset = ReadRequestHeader.sourceTaggedOffset(header, 0);
            checkMemory(memory, taggedOffset, size, memory != null && memory.allowsRemoteRead());
            offset = memory.offsetOf(taggedOffset);
        }
        readSequence++;
        responses.add(
                ReadRequestHeader.sinkStag(header, 0),
                ReadRequestHeader.sinkTaggedOffset(header, 0),
                memory,
                offset,
                (int) size);
        sink = placement;
    }

    /** Checks what reads and atomics have in common, a queue, and how many of them there may be. */
    private void checkQuestion() throws StreamFault {
        checkUntagged(UntaggedHeader.READ_REQUEST_QUEUE, readSequence, 0);
        checkNothingFollows();
        if (responses.isFull()) {
            throw new StreamFault(TerminateCode.UNTAGGED_NO_BUFFER);
        }
    }

    /** The message has to be one segment and no longer than its header. */
    private void checkNothingFollows() throws StreamFault {
        if (!last || payloadLeft > 0) {
            throw new StreamFault(TerminateCode.UNTAGGED_MESSAGE_TOO_LONG);
        }
    }

    private void checkMemory(RegisteredMemory memory, long taggedOffset, long size, boolean allowed)
            throws StreamFault {
        if (memory == null || memory.isInvalidated()) {
            throw new StreamFault(TerminateCode.INVALID_STAG);
        }
        if (!memory.isIn(domain)) {
            throw new StreamFault(TerminateCode.STAG_NOT_ASSOCIATED);
        }
        if (!allowed) {
            throw new StreamFault(TerminateCode.ACCESS_RIGHTS);
        }
        if (wraps(taggedOffset, size)) {
            throw new StreamFault(TerminateCode.TAGGED_OFFSET_WRAP);
        }
        if (!memory.contains(taggedOffset, size)) {
            throw new StreamFault(TerminateCode.BASE_OR_BOUNDS);
        }
    }

    private void beginImmediate() throws StreamFault {
        checkUntagged(UntaggedHeader.SEND_QUEUE, sendSequence, receiving ? received : 0);
        if (receiving) {
            throw new StreamFault(TerminateCode.UNEXPECTED_OPCODE);
        }
        checkNothingFollows();
        if (!receives.take()) {
            throw new StreamFault(TerminateCode.UNTAGGED_NO_BUFFER);
        }
        sink = placement;
    }

    /** Only the form is checked here: an atomic is carried out, and its target looked at, when all of it is there. */
    private void beginAtomicRequest() throws StreamFault {
        checkQuestion();
        int operation = AtomicRequestHeader.operation(header, 0);
        if (operation != AtomicRequestHeader.FETCH_ADD && operation != AtomicRequestHeader.COMPARE_SWAP) {
            throw new StreamFault(TerminateCode.UNEXPECTED_OPCODE);
        }
        sink = placement;
    }

    private void beginAtomicResponse() throws StreamFault {
        if (reads.count() > 0 && !reads.isAtomic()) {
            throw new StreamFault(TerminateCode.UNEXPECTED_OPCODE);
        }
        checkUntagged(UntaggedHeader.ATOMIC_RESPONSE_QUEUE, atomicResponseSequence, 0);
        if (reads.count() == 0) {
            throw new StreamFault(TerminateCode.UNTAGGED_NO_BUFFER);
        }
        checkNothingFollows();
        if (AtomicResponseHeader.requestIdentifier(header, 0) != reads.sinkStag()) {
            throw new StreamFault(TerminateCode.CATASTROPHIC_STREAM);
        }
        sink = placement;
    }

    private void beginSend() throws StreamFault, LocalFault {
        checkUntagged(UntaggedHeader.SEND_QUEUE, sendSequence, receiving ? received : 0);
        sink = placement;
        if (isReadyToReceiveSend()) {
            placement.clear();
            return;
        }
        if (!receiving) {
            if (!receives.take()) {
                throw new StreamFault(TerminateCode.UNTAGGED_NO_BUFFER);
            }
            receiving = true;
            receivingOpcode = opcode;
            received = 0;
            invalidateStag = UntaggedHeader.invalidateStag(header, 0);
            if (!receives.isUsable(domain)) {
                receives.fail(WorkCompletionStatus.LOCAL_PROTECTION_ERROR);
                throw new LocalFault();
            }
        } else if (opcode != receivingOpcode) {
            throw new StreamFault(TerminateCode.UNEXPECTED_OPCODE);
        }
        if (payloadLeft > receives.segments().remaining()) {
            receives.fail(WorkCompletionStatus.LOCAL_LENGTH_ERROR);
            throw new StreamFault(TerminateCode.UNTAGGED_MESSAGE_TOO_LONG);
        }
        received += payloadLeft;
        sink = receives.segments();
    }

    /** A Send that only tells that the peer is ready uses up no receive (RFC 6581, section 6). */
    private boolean isReadyToReceiveSend() {
        return !begun && expected == ReadyToReceive.SEND && opcode == Opcode.SEND && last && payloadLeft == 0;
    }

    private void checkUntagged(int queue, int sequence, long offset) throws StreamFault {
        if (UntaggedHeader.queueNumber(header, 0) != queue) {
            throw new StreamFault(TerminateCode.UNTAGGED_INVALID_QUEUE_NUMBER);
        }
        if (UntaggedHeader.messageSequenceNumber(header, 0) != sequence) {
            throw new StreamFault(TerminateCode.UNTAGGED_MESSAGE_SEQUENCE_NUMBER);
        }
        if (UntaggedHeader.messageOffset(header, 0) != offset) {
            throw new StreamFault(TerminateCode.UNTAGGED_MESSAGE_OFFSET);
        }
    }

    private PeerTerminated terminated(ByteBuffer from, int at, int bytes) throws StreamFault {
        if (bytes < TerminateHeader.BYTES) {
            throw new StreamFault(TerminateCode.CATASTROPHIC_STREAM);
        }
        checkUntagged(UntaggedHeader.TERMINATE_QUEUE, 1, 0);
        return PeerTerminated.read(from, at, bytes);
    }

    private void endFrame() throws StreamFault, LocalFault {
        boolean first = !begun;
        begun = true;
        long written = justWritten;
        justWritten = -1;
        switch (opcode) {
            case Opcode.WRITE -> endWrite();
            case Opcode.READ_REQUEST -> {
                // Nothing is told to the consumer.
            }
            case Opcode.IMMEDIATE, Opcode.IMMEDIATE_SOLICITED -> endImmediate(written);
            case Opcode.ATOMIC_REQUEST -> endAtomicRequest();
            case Opcode.ATOMIC_RESPONSE -> endAtomicResponse();
            case Opcode.READ_RESPONSE -> {
                if (last) {
                    endRead();
                }
            }
            default -> {
                if (first && !receiving) {
                    sendSequence++;
                } else if (last) {
                    endReceive();
                }
            }
        }
        expected = null;
    }

    private void endRead() {
        long position = reads.position();
        answering = false;
        reads.remove();
        if (position >= 0) {
            sends.answered(position);
        } else if (position == OutstandingReads.QUESTION) {
            extensions.questionAnswered();
        }
    }

    private void endWrite() {
        writing += Fpdu.ulpduLength(header, 0) + Fpdu.LENGTH_BYTES - TaggedHeader.BYTES;
        if (!last) {
            return;
        }
        boolean offer = writing == 0
                && extensions.understand(TaggedHeader.stag(header, 0), TaggedHeader.taggedOffset(header, 0));
        justWritten = offer ? -1 : writing;
        if (!offer && expected != ReadyToReceive.WRITE) {
            counters.writeReceived(writing);
        }
        writing = 0;
    }

    private void endImmediate(long written) {
        sendSequence++;
        if (written < 0) {
            counters.sendReceived(0);
        }
        receives.completeImmediate(
                Math.max(0, written), written >= 0, ImmediateDataHeader.data(header, 0), Opcode.isSolicited(opcode));
    }

    private void endAtomicRequest() throws StreamFault {
        RegisteredMemory memory = stags.find(AtomicRequestHeader.remoteStag(header, 0));
        long taggedOffset = AtomicRequestHeader.remoteTaggedOffset(header, 0);
        checkMemory(memory, taggedOffset, Long.BYTES, memory != null && memory.allowsRemoteAtomic());
        int offset = memory.offsetOf(taggedOffset);
        if (!memory.isAligned(offset)) {
            throw new StreamFault(TerminateCode.CATASTROPHIC_STREAM);
        }
        readSequence++;
        long data = AtomicRequestHeader.addOrSwapData(header, 0);
        long mask = AtomicRequestHeader.addOrSwapMask(header, 0);
        long before = AtomicRequestHeader.operation(header, 0) == AtomicRequestHeader.FETCH_ADD
                ? memory.fetchAndAdd(offset, data, mask)
                : memory.compareAndSwap(
                        offset,
                        AtomicRequestHeader.compareData(header, 0),
                        AtomicRequestHeader.compareMask(header, 0),
                        data,
                        mask);
        counters.atomicServed();
        responses.addAtomic(AtomicRequestHeader.requestIdentifier(header, 0), before);
    }

    private void endAtomicResponse() throws LocalFault {
        long position = reads.position();
        sends.ring().loadSegments(position, readSegments);
        long value = AtomicResponseHeader.originalValue(header, 0);
        // In the byte order of this machine, as it is in the memory of the peer's.
        header.putLong(0, ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ? value : Long.reverseBytes(value));
        if (!readSegments.isUsable(domain, true) || !readSegments.put(header, 0, Long.BYTES)) {
            sends.blame(position, WorkCompletionStatus.LOCAL_PROTECTION_ERROR, 0);
            throw new LocalFault();
        }
        atomicResponseSequence++;
        reads.remove();
        sends.answered(position);
    }

    private void endReceive() throws StreamFault {
        boolean invalidates = Opcode.invalidates(opcode);
        if (invalidates) {
            RegisteredMemory memory = stags.find(invalidateStag);
            if (memory == null || memory.isInvalidated() || !memory.isIn(domain)) {
                throw new StreamFault(TerminateCode.STAG_CANNOT_BE_INVALIDATED);
            }
            memory.invalidate();
        }
        receiving = false;
        sendSequence++;
        counters.sendReceived(received);
        receives.complete(received, Opcode.isSolicited(opcode), invalidates, invalidates ? invalidateStag : 0);
    }

    /** Memory was closed while bytes for it were under way. */
    private StreamFault memoryGone() throws LocalFault {
        if (sink == placement) {
            return new StreamFault(TerminateCode.TAGGED_INVALID_STAG);
        }
        if (sink == readSegments) {
            sends.blame(reads.position(), WorkCompletionStatus.LOCAL_PROTECTION_ERROR, 0);
        } else {
            receives.fail(WorkCompletionStatus.LOCAL_PROTECTION_ERROR);
        }
        throw new LocalFault();
    }

    private static boolean wraps(long offset, long bytes) {
        return Long.compareUnsigned(offset + bytes - 1, offset) < 0;
    }
}
