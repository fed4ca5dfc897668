package org.verbena.rdma.provider.iwarp.stream;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.verbena.rdma.provider.iwarp.loop.EventLoop;
import org.verbena.rdma.provider.iwarp.wire.Fpdu;

/**
 * A loop with the buffers that its streams share: a stream has one only while it needs it, so that an idle connection
 * costs next to nothing. Used on that loop only, but for {@link #loop()} and {@link #counters()}.
 */
public final class StreamLoop {
    private static final int STAGING_BYTES = 128 * 1024;
    private static final int KEPT = 4;

    /** How many streams may keep a staging buffer; others copy what they have of a frame. */
    private static final int MAX_KEPT = 32;

    private static final int MAX_SCATTER = 66;

    static {
        assert STAGING_BYTES >= Fpdu.MAX_BYTES;
    }

    private final EventLoop loop;
    private final ArrayDeque<Batch> largeBatches = new ArrayDeque<>(KEPT);
    private final ArrayDeque<Batch> smallBatches = new ArrayDeque<>(KEPT);
    private final ArrayDeque<ByteBuffer> stagings = new ArrayDeque<>(KEPT);
    private final StreamCounters counters = new StreamCounters(null);
    private int largeBatchesMade;
    private int keptStagings;
    private final ByteBuffer[] scatter = new ByteBuffer[MAX_SCATTER];

    public StreamLoop(EventLoop loop) {
        this.loop = loop;
    }

    public EventLoop loop() {
        return loop;
    }

    /** What is counted on all connections of this loop; written on it, read anywhere. */
    public StreamCounters counters() {
        return counters;
    }

    /**
     * Lends a batch.
     *
     * @param large whether much is to be copied into it; there are few large ones, however many peers do not read
     */
    Batch lendBatch(boolean large) {
        if (large) {
            Batch batch = largeBatches.pollLast();
            if (batch != null) {
                return batch;
            }
            if (largeBatchesMade < KEPT) {
                largeBatchesMade++;
                return new Batch(loop.index(), Batch.LARGE_ARENA_BYTES);
            }
        }
        Batch batch = smallBatches.pollLast();
        return batch != null ? batch : new Batch(loop.index(), Batch.SMALL_ARENA_BYTES);
    }

    void takeBack(Batch batch) {
        batch.clear();
        if (batch.isLarge()) {
            largeBatches.addLast(batch);
        } else if (smallBatches.size() < KEPT) {
            smallBatches.addLast(batch);
        }
    }

    /** Lends an empty buffer that holds any frame. */
    ByteBuffer lendStaging() {
        ByteBuffer staging = stagings.pollLast();
        return staging != null ? staging.clear() : ByteBuffer.allocateDirect(STAGING_BYTES);
    }

    /** Whether a stream may keep the buffer that it was lent until its next turn; {@link #keepsNoMore} ends it. */
    boolean keep() {
        if (keptStagings == MAX_KEPT) {
            return false;
        }
        keptStagings++;
        return true;
    }

    /** A stream that kept its buffer uses it again, or gives it up. */
    void keepsNoMore() {
        keptStagings--;
    }

    void takeBack(ByteBuffer staging) {
        if (stagings.size() < KEPT) {
            stagings.addLast(staging);
        }
    }

    /** For one scattering read; empty between uses. */
    ByteBuffer[] scatter() {
        return scatter;
    }
}
