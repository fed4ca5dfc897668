package org.verbena.rdma.provider.iwarp.memory;

import java.nio.ByteBuffer;

/**
 * The segments of one work request, and how far it has come through them. Made once and filled again; used on one loop
 * only. Whatever moves bytes first looks whether the memory is still open.
 */
public final class SegmentCursor {
    private final RegisteredMemory[] memories;
    private final int[] offsets;
    private final int[] lengths;
    private int count;
    private int current;
    private int within;
    private long remaining;

    public SegmentCursor(int maxSegments) {
        int capacity = Math.max(1, maxSegments);
        memories = new RegisteredMemory[capacity];
        offsets = new int[capacity];
        lengths = new int[capacity];
    }

    public void clear() {
        for (int i = 0; i < count; i++) {
            memories[i] = null;
        }
        count = 0;
        current = 0;
        within = 0;
        remaining = 0;
    }

    public void add(RegisteredMemory memory, int offset, int length) {
        if (length == 0) {
            return;
        }
        memories[count] = memory;
        offsets[count] = offset;
        lengths[count] = length;
        count++;
        remaining += length;
    }

    /** How many bytes there are from here to the end. */
    public long remaining() {
        return remaining;
    }

    /** Whether all memory is open and of a domain, and may be written where that is asked for. */
    public boolean isUsable(IwarpProtectionDomain domain, boolean write) {
        for (int i = 0; i < count; i++) {
            RegisteredMemory memory = memories[i];
            if (memory.isClosed() || !memory.isIn(domain) || write && !memory.allowsLocalWrite()) {
                return false;
            }
        }
        return true;
    }

    /** How many of the next bytes lie in one piece, at most {@code limit}. */
    public int contiguous(int limit) {
        return current == count ? 0 : Math.min(limit, lengths[current] - within);
    }

    /** The memory that the next byte lies in. */
    public RegisteredMemory memory() {
        return memories[current];
    }

    /** Where in its memory the next byte lies. */
    public int offset() {
        return offsets[current] + within;
    }

    /** Puts bytes into the segments and moves on; {@code false} if a segment's memory is closed. */
    public boolean put(ByteBuffer from, int fromOffset, int bytes) {
        int at = fromOffset;
        int left = bytes;
        while (left > 0) {
            int piece = contiguous(left);
            RegisteredMemory memory = memories[current];
            if (memory.isClosed()) {
                return false;
            }
            memory.put(offset(), from, at, piece);
            at += piece;
            left -= piece;
            advance(piece);
        }
        return true;
    }

    /** Takes bytes out of the segments and moves on; {@code false} if a segment's memory is closed. */
    public boolean get(ByteBuffer to, int toOffset, int bytes) {
        int at = toOffset;
        int left = bytes;
        while (left > 0) {
            int piece = contiguous(left);
            RegisteredMemory memory = memories[current];
            if (memory.isClosed()) {
                return false;
            }
            memory.get(offset(), to, at, piece);
            at += piece;
            left -= piece;
            advance(piece);
        }
        return true;
    }

    /** Moves on by bytes that are there. */
    public void advance(long bytes) {
        remaining -= bytes;
        long left = bytes;
        while (left > 0) {
            int piece = (int) Math.min(left, lengths[current] - within);
            within += piece;
            left -= piece;
            if (within == lengths[current]) {
                current++;
                within = 0;
            }
        }
    }

    /**
     * Lends views of the next bytes, without moving on.
     *
     * @return how many views were put into {@code views} from index {@code first} on, or -1 if memory is closed
     */
    public int lendViews(int loop, long bytes, ByteBuffer[] views, int first) {
        int segment = current;
        int skip = within;
        long left = Math.min(bytes, remaining);
        int lent = 0;
        while (left > 0) {
            int piece = (int) Math.min(left, lengths[segment] - skip);
            if (memories[segment].isClosed()) {
                takeBack(loop, views, first, lent);
                return -1;
            }
            views[first + lent] = memories[segment].lendView(loop, offsets[segment] + skip, piece);
            lent++;
            left -= piece;
            segment++;
            skip = 0;
        }
        return lent;
    }

    /** Takes back what {@link #lendViews} has lent since the last move. */
    public void takeBack(int loop, ByteBuffer[] views, int first, int lent) {
        for (int i = 0; i < lent; i++) {
            memories[current + i].takeBack(loop, views[first + i]);
            views[first + i] = null;
        }
    }
}
