package org.verbena.rdma;

import org.osgi.annotation.versioning.ProviderType;

/**
 * Where finished work requests are reported. Completions are not ordered with events of connection management.
 *
 * <p>After a removal, completions that were flushed can still be polled; when they are all read, polling throws
 * {@link DeviceRemovedException}.
 */
@ProviderType
public interface CompletionQueue extends VerbsObject {
    /**
     * Returns how many completions the queue holds. A queue that overflows is broken together with its queue pairs, as
     * the InfiniBand Architecture has it (11.6.3.3), so its size must cover all that is outstanding.
     *
     * @return at least what was asked for
     */
    int entries();

    /**
     * Makes a place to poll into. It needs no close and is meant to be used again and again.
     *
     * @param capacity how many completions it takes, at least 1
     * @return a new, empty place
     */
    WorkCompletions createWorkCompletions(int capacity);

    /**
     * Takes completions off the queue, oldest first. Never waits, allocates nothing.
     *
     * @param into what was in it before is overwritten; the capacity is the most that is taken
     * @return how many were taken, 0 if there are none
     * @throws DeviceRemovedException if the device is gone and all that was flushed has been read
     * @throws RdmaException if the queue is closed or broken
     */
    int poll(WorkCompletions into) throws RdmaException;

    /**
     * Asks for one event on the channel when the next completion arrives. Poll once more after the call: what arrived
     * before it causes no event ({@code ibv_req_notify_cq(3)}).
     *
     * @param solicitedOnly whether only errors and messages that the peer sent with a solicited event count
     * @throws IllegalStateException if the queue has no channel
     * @throws DeviceRemovedException if the device is gone
     * @throws RdmaException if the queue is closed
     */
    void requestNotification(boolean solicitedOnly) throws RdmaException;
}
