package org.verbena.rdma.provider.iwarp.queue;

/** Something that whoever polls a completion queue moves on, instead of waiting for others to do it. On any thread. */
public interface Polled {
    /**
     * Does what there is to do, unless somebody else is at it. Allocates nothing, never waits.
     *
     * @param inBulk whether several completions were taken at a time lately
     */
    void moveOn(boolean inBulk);

    /** Nobody polls for now; a notification is waited for. */
    void leave();
}
