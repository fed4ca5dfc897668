package org.verbena.rdma.provider.iwarp.queue;

import org.verbena.rdma.provider.iwarp.memory.SegmentCursor;

/** The receive that a message is being put into. Made once per queue pair and filled again; used on its loop only. */
public final class ReceiveWork {
    private final SegmentCursor segments;
    private long workRequestId;
    private boolean present;

    public ReceiveWork(int maxSegments) {
        segments = new SegmentCursor(maxSegments);
    }

    /** Whether there is a receive in it. */
    public boolean isPresent() {
        return present;
    }

    public SegmentCursor segments() {
        return segments;
    }

    public long workRequestId() {
        return workRequestId;
    }

    void fill(long id) {
        workRequestId = id;
        present = true;
    }

    void empty() {
        segments.clear();
        present = false;
    }
}
