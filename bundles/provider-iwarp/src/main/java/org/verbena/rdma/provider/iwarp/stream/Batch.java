package org.verbena.rdma.provider.iwarp.stream;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.GatheringByteChannel;
import java.util.zip.CRC32C;
import org.verbena.rdma.provider.iwarp.memory.RegisteredMemory;
import org.verbena.rdma.provider.iwarp.memory.SegmentCursor;
import org.verbena.rdma.provider.iwarp.wire.Fpdu;

/**
 * Frames that go out in one gathering write. Headers, trailers and small payloads lie one behind the other in an arena;
 * longer payloads are views of the registered memory itself. Made once per loop and used for one connection after the
 * other; a connection that the peer does not read from keeps its batch until it is written. Used on one loop only.
 *
 * <p>For a peer that wants markers each frame is put together beside the arena and copied into it between the markers.
 */
final class Batch {
    /** So much of a read's response goes out in one write when the CRC has it copied. */
    static final int LARGE_ARENA_BYTES = 256 * 1024;

    static final int SMALL_ARENA_BYTES = 32 * 1024;
    private static final int MAX_PIECES = 192;
    private static final int MAX_FRAMES = 256;
    private static final int MAX_COMPOSED = 512 * 1024;

    /** Pieces that one frame may need: each segment of a work request and the arena before and behind it. */
    private static final int PIECES_PER_FRAME = 40;

    /** Payload up to this length is copied: a few bytes cost less to copy than to gather. */
    static final int COPIED_PAYLOAD = 512;

    private final int loop;
    private final ByteBuffer arena;
    private final ByteBuffer checked;
    private final ByteBuffer[] arenaViews = new ByteBuffer[MAX_PIECES];
    private final ByteBuffer[] pieces = new ByteBuffer[MAX_PIECES];
    private final RegisteredMemory[] memories = new RegisteredMemory[MAX_PIECES];
    private final int[] frameEnds = new int[MAX_FRAMES];
    private final CRC32C crc = new CRC32C();

    /** What frames with markers are put together in; made when the first one is. */
    private ByteBuffer unmarked;

    private MarkedFrame marked;
    private int arenaEnd;
    private int runStart;
    private int checkedTo;
    private boolean crcUsed;

    /** Where in the stream the frame starts that gets markers, or -1 for none. */
    private long markedAt;

    private int unmarkedEnd;
    private int frameStart;
    private int pieceCount;
    private int firstPiece;
    private int frameCount;
    private int firstFrame;
    private int composed;
    private int written;

    Batch(int loop, int arenaBytes) {
        this.loop = loop;
        this.arena = ByteBuffer.allocateDirect(arenaBytes);
        this.checked = arena.duplicate();
        for (int i = 0; i < arenaViews.length; i++) {
            arenaViews[i] = arena.duplicate();
        }
    }

    boolean isLarge() {
        return arena.capacity() == LARGE_ARENA_BYTES;
    }

    boolean isEmpty() {
        return frameCount == 0;
    }

    /** Whether another frame fits, with some payload copied into the arena. */
    boolean hasRoom() {
        return frameCount < MAX_FRAMES
                && pieceCount + PIECES_PER_FRAME <= MAX_PIECES
                && composed < MAX_COMPOSED
                && arena.capacity() - arenaEnd >= 2 * COPIED_PAYLOAD;
    }

    /** How many bytes of payload the next frame may have copied. */
    int copyRoom() {
        return arena.capacity() - arenaEnd - COPIED_PAYLOAD;
    }

    /**
     * Starts a frame; its header is to be written into {@link #header()} at the returned offset.
     *
     * @param markersFrom where in the stream the frame starts if it gets markers, else -1
     */
    int beginFrame(int headerBytes, boolean withCrc, long markersFrom) {
        crcUsed = withCrc;
        markedAt = markersFrom;
        frameStart = composed;
        if (markersFrom >= 0) {
            if (unmarked == null) {
                unmarked = ByteBuffer.allocate(Math.min(arena.capacity(), Fpdu.MAX_BYTES));
                marked = new MarkedFrame();
            }
            unmarkedEnd = headerBytes;
            return 0;
        }
        int at = arenaEnd;
        arenaEnd += headerBytes;
        composed += headerBytes;
        checkedTo = at;
        if (withCrc) {
            crc.reset();
        }
        return at;
    }

    /** Where the header of the frame goes. */
    ByteBuffer header() {
        return markedAt >= 0 ? unmarked : arena;
    }

    /** Copies payload into the frame; {@code false} if its memory is closed. */
    boolean copy(SegmentCursor payload, int bytes) {
        if (markedAt >= 0) {
            boolean done = payload.get(unmarked, unmarkedEnd, bytes);
            unmarkedEnd += bytes;
            return done;
        }
        if (!payload.get(arena, arenaEnd, bytes)) {
            return false;
        }
        arenaEnd += bytes;
        composed += bytes;
        return true;
    }

    /** Puts payload into the frame as it lies in memory; {@code false} if its memory is closed. */
    boolean refer(SegmentCursor payload, int bytes) {
        int left = bytes;
        while (left > 0) {
            int piece = payload.contiguous(left);
            RegisteredMemory memory = payload.memory();
            if (memory.isClosed()) {
                return false;
            }
            ByteBuffer view = memory.lendView(loop, payload.offset(), piece);
            endRun();
            pieces[pieceCount] = view;
            memories[pieceCount] = memory;
            pieceCount++;
            if (crcUsed) {
                checkArena();
                int position = view.position();
                crc.update(view);
                view.position(position);
            }
            payload.advance(piece);
            left -= piece;
            composed += piece;
        }
        return true;
    }

    /** Ends the frame, and returns how long it has become. */
    int endFrame(int padding) {
        if (markedAt >= 0) {
            endMarkedFrame(padding);
        } else {
            endPlainFrame(padding);
        }
        frameEnds[frameCount++] = composed;
        return composed - frameStart;
    }

    private void endPlainFrame(int padding) {
        for (int i = 0; i < padding; i++) {
            arena.put(arenaEnd++, (byte) 0);
        }
        int value = 0;
        if (crcUsed) {
            checkArena();
            value = (int) crc.getValue();
        }
        Fpdu.putCrc(arena, arenaEnd, value);
        arenaEnd += Fpdu.CRC_BYTES;
        composed += padding + Fpdu.CRC_BYTES;
    }

    private void endMarkedFrame(int padding) {
        for (int i = 0; i < padding; i++) {
            unmarked.put(unmarkedEnd++, (byte) 0);
        }
        int bytes = marked.put(unmarked, unmarkedEnd, arena, arenaEnd, markedAt, crcUsed);
        arenaEnd += bytes;
        composed += bytes;
    }

    /** How many bytes are missing of a frame that has been written in part. */
    int restOfFrame() {
        int start = firstFrame == 0 ? 0 : frameEnds[firstFrame - 1];
        return isEmpty() || written == start ? 0 : frameEnds[firstFrame] - written;
    }

    private void checkArena() {
        if (checkedTo < arenaEnd) {
            crc.update(checked.limit(arenaEnd).position(checkedTo));
            checkedTo = arenaEnd;
        }
    }

    private void endRun() {
        if (runStart < arenaEnd) {
            ByteBuffer view = arenaViews[pieceCount];
            pieces[pieceCount] = view.limit(arenaEnd).position(runStart);
            pieceCount++;
            runStart = arenaEnd;
        }
    }

    /** Whether all memory that is still to be written is open. */
    boolean isMemoryOpen() {
        for (int i = firstPiece; i < pieceCount; i++) {
            if (memories[i] != null && memories[i].isClosed()) {
                return false;
            }
        }
        return true;
    }

    /** Writes what the socket takes, and returns how much that was. */
    long write(GatheringByteChannel channel) throws IOException {
        endRun();
        int left = pieceCount - firstPiece;
        long count = left == 1 ? channel.write(pieces[firstPiece]) : channel.write(pieces, firstPiece, left);
        written += (int) count;
        while (firstPiece < pieceCount && !pieces[firstPiece].hasRemaining()) {
            release(firstPiece++);
        }
        if (firstPiece == pieceCount) {
            clear();
        } else {
            while (frameEnds[firstFrame] <= written) {
                firstFrame++;
            }
        }
        return count;
    }

    /**
     * Copies the rest of a frame that has been written in part, so that another frame can follow it. Nothing is copied if
     * the last byte written was the last of a frame.
     *
     * @return {@code false} if the memory of the rest is closed
     */
    boolean copyRestOfFrame(ByteBuffer into) {
        endRun();
        int left = restOfFrame();
        for (int i = firstPiece; left > 0; i++) {
            if (memories[i] != null && memories[i].isClosed()) {
                return false;
            }
            ByteBuffer piece = pieces[i];
            int bytes = Math.min(left, piece.remaining());
            into.put(into.position(), piece, piece.position(), bytes);
            into.position(into.position() + bytes);
            left -= bytes;
        }
        return true;
    }

    /** Forgets all frames. */
    void clear() {
        for (int i = firstPiece; i < pieceCount; i++) {
            release(i);
        }
        arenaEnd = 0;
        runStart = 0;
        pieceCount = 0;
        firstPiece = 0;
        frameCount = 0;
        firstFrame = 0;
        composed = 0;
        written = 0;
    }

    private void release(int piece) {
        if (memories[piece] != null) {
            memories[piece].takeBack(loop, pieces[piece]);
            memories[piece] = null;
        }
        pieces[piece] = null;
    }
}
