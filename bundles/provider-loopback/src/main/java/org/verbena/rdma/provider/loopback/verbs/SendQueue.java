package org.verbena.rdma.provider.loopback.verbs;

import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.spi.SendRequest;

/** Posted sends in their order. Guarded by the lock of its queue pair. */
final class SendQueue {
    private final int maxSegments;
    private final int maxInlineData;
    private final LoopbackProtectionDomain domain;
    private final SendEntry[] ring;
    private final SegmentList from;
    private final SegmentList to = new SegmentList(1);
    private int oldest;
    private int count;
    private long done;

    SendQueue(int maxSends, int maxSegments, int maxInlineData, LoopbackProtectionDomain domain) {
        this.maxSegments = maxSegments;
        this.maxInlineData = maxInlineData;
        this.domain = domain;
        this.from = new SegmentList(maxSegments);
        ring = new SendEntry[maxSends];
        for (int index = 0; index < maxSends; index++) {
            ring[index] = new SendEntry(maxSegments, maxInlineData);
        }
    }

    void add(SendRequest request) throws RdmaException {
        if (request.segmentCount() > maxSegments) {
            throw new RdmaException(
                    RdmaError.INVALID_ARGUMENT,
                    "a send has " + request.segmentCount() + " segments, the queue takes " + maxSegments);
        }
        if (request.isInline() && request.totalLength() > maxInlineData) {
            throw new RdmaException(
                    RdmaError.TOO_LARGE,
                    "an inline send has " + request.totalLength() + " bytes, the queue takes " + maxInlineData);
        }
        if (count == ring.length) {
            throw new RdmaException(
                    RdmaError.NO_MEMORY,
                    "the send queue holds " + ring.length + " requests: wait until one has completed");
        }
        SendEntry entry = ring[(oldest + count) % ring.length];
        entry.take(request);
        if (entry.isInline() && !Requester.gather(entry, domain, from, to)) {
            // What may not be read now is found out when the entry's turn comes.
            entry.notInline();
        }
        count++;
    }

    boolean isEmpty() {
        return count == 0;
    }

    /** Returns the oldest entry, or {@code null}. */
    SendEntry oldest() {
        return count == 0 ? null : ring[oldest];
    }

    void removeOldest() {
        ring[oldest].forget();
        oldest = (oldest + 1) % ring.length;
        count--;
        done++;
    }

    /** Returns how many entries have been done with. */
    long done() {
        return done;
    }

    /** Returns how many entries will have been done with when all that are here now are. */
    long posted() {
        return done + count;
    }
}
