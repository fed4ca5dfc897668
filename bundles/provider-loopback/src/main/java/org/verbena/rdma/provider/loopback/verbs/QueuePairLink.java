package org.verbena.rdma.provider.loopback.verbs;

/** The connection that carries a queue pair, as the queue pair sees it. Called without a lock of the queue pair's. */
public interface QueuePairLink {
    /**
     * Work on the queue pair has failed, or its owner has let it fail: the connection ends.
     *
     * @param queuePair the queue pair
     */
    void failed(LoopbackQueuePair queuePair);

    /**
     * The queue pair is being closed: the connection ends, in good order.
     *
     * @param queuePair the queue pair
     */
    void closing(LoopbackQueuePair queuePair);
}
