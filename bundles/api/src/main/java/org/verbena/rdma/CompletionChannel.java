package org.verbena.rdma;

import java.time.Duration;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Wakes a thread when a completion queue that asked for it has something to poll (InfiniBand Architecture, 11.4.2.2;
 * {@code ibv_get_cq_event(3)}). One event is kept for each request for notification; events need no acknowledgement.
 */
@ProviderType
public interface CompletionChannel extends VerbsObject {
    /**
     * Waits for the next event. Many threads may wait; each event goes to one of them. Must not be called inside a
     * callback, which would hold up the other callbacks of its id.
     *
     * @param timeout how long to wait at most, zero for a look without waiting
     * @return the queue that has something to poll, or {@code null} if the time is over
     * @throws InterruptedException if the thread was interrupted
     * @throws DeviceRemovedException if the device is gone and all that was flushed has been told of
     * @throws RdmaException if the channel or its session is closed, also while waiting
     */
    CompletionQueue await(Duration timeout) throws InterruptedException, RdmaException;
}
