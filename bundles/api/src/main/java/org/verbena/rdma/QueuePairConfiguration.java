package org.verbena.rdma;

import java.util.Objects;

/**
 * How to make a queue pair. Limits are checked against the attributes of the device; what the provider rounds up is not
 * reported back.
 *
 * @param type the service
 * @param sendCompletionQueue where sends are reported
 * @param receiveCompletionQueue where receives are reported; may be the same
 * @param sharedReceiveQueue where receives come from, or {@code null} for a receive queue of its own
 * @param maxSends how many sends may be outstanding, at least 1
 * @param maxReceives how many receives may be outstanding; not used with a shared receive queue
 * @param maxSendSegments how many segments a send may have
 * @param maxReceiveSegments how many segments a receive may have
 * @param maxInlineData how many bytes an inline send may have
 */
public record QueuePairConfiguration(
        QueuePairType type,
        CompletionQueue sendCompletionQueue,
        CompletionQueue receiveCompletionQueue,
        SharedReceiveQueue sharedReceiveQueue,
        int maxSends,
        int maxReceives,
        int maxSendSegments,
        int maxReceiveSegments,
        int maxInlineData) {

    /**
     * Checks what can be checked without a device.
     *
     * @param type the service
     * @param sendCompletionQueue where sends are reported
     * @param receiveCompletionQueue where receives are reported; may be the same
     * @param sharedReceiveQueue where receives come from, or {@code null} for a receive queue of its own
     * @param maxSends how many sends may be outstanding, at least 1
     * @param maxReceives how many receives may be outstanding; not used with a shared receive queue
     * @param maxSendSegments how many segments a send may have
     * @param maxReceiveSegments how many segments a receive may have
     * @param maxInlineData how many bytes an inline send may have
     */
    public QueuePairConfiguration {
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(sendCompletionQueue, "sendCompletionQueue");
        Objects.requireNonNull(receiveCompletionQueue, "receiveCompletionQueue");
        if (maxSends < 1 || maxReceives < 0 || maxSendSegments < 0 || maxReceiveSegments < 0 || maxInlineData < 0) {
            throw new IllegalArgumentException("queue pair sizes must not be negative, and at least one send must fit:"
                    + " maxSends=" + maxSends + " maxReceives=" + maxReceives + " maxSendSegments=" + maxSendSegments
                    + " maxReceiveSegments=" + maxReceiveSegments + " maxInlineData=" + maxInlineData);
        }
    }

    /**
     * Starts with a reliable connected queue pair for 16 sends and 16 receives of one segment each.
     *
     * @param completionQueue where both queues are reported
     * @return a configuration
     */
    public static QueuePairConfiguration reliable(CompletionQueue completionQueue) {
        return new QueuePairConfiguration(
                QueuePairType.RELIABLE_CONNECTED, completionQueue, completionQueue, null, 16, 16, 1, 1, 0);
    }

    /**
     * Changes where receives are reported.
     *
     * @param queue the completion queue
     * @return a changed copy
     */
    public QueuePairConfiguration withReceiveCompletionQueue(CompletionQueue queue) {
        return new QueuePairConfiguration(
                type,
                sendCompletionQueue,
                queue,
                sharedReceiveQueue,
                maxSends,
                maxReceives,
                maxSendSegments,
                maxReceiveSegments,
                maxInlineData);
    }

    /**
     * Changes how much work may be outstanding.
     *
     * @param sends the most sends
     * @param receives the most receives
     * @return a changed copy
     */
    public QueuePairConfiguration withDepth(int sends, int receives) {
        return new QueuePairConfiguration(
                type,
                sendCompletionQueue,
                receiveCompletionQueue,
                sharedReceiveQueue,
                sends,
                receives,
                maxSendSegments,
                maxReceiveSegments,
                maxInlineData);
    }

    /**
     * Changes how many segments a work request may have.
     *
     * @param sendSegments for a send
     * @param receiveSegments for a receive
     * @return a changed copy
     */
    public QueuePairConfiguration withSegments(int sendSegments, int receiveSegments) {
        return new QueuePairConfiguration(
                type,
                sendCompletionQueue,
                receiveCompletionQueue,
                sharedReceiveQueue,
                maxSends,
                maxReceives,
                sendSegments,
                receiveSegments,
                maxInlineData);
    }

    /**
     * Takes receives from a shared receive queue.
     *
     * @param queue the shared receive queue
     * @return a changed copy
     */
    public QueuePairConfiguration withSharedReceiveQueue(SharedReceiveQueue queue) {
        return new QueuePairConfiguration(
                type,
                sendCompletionQueue,
                receiveCompletionQueue,
                queue,
                maxSends,
                0,
                maxSendSegments,
                maxReceiveSegments,
                maxInlineData);
    }

    /**
     * Changes how many bytes an inline send may have.
     *
     * @param bytes the most bytes
     * @return a changed copy
     */
    public QueuePairConfiguration withInlineData(int bytes) {
        return new QueuePairConfiguration(
                type,
                sendCompletionQueue,
                receiveCompletionQueue,
                sharedReceiveQueue,
                maxSends,
                maxReceives,
                maxSendSegments,
                maxReceiveSegments,
                bytes);
    }
}
