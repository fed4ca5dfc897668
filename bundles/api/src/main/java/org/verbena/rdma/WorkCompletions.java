package org.verbena.rdma;

import org.osgi.annotation.versioning.ProviderType;

/**
 * Completions as they were polled, read by index; made once and filled again by each poll, so that polling allocates
 * nothing. Not safe for use by several threads at a time.
 *
 * <p>Where the status is not {@link WorkCompletionStatus#SUCCESS} only the work request id, status, queue pair number
 * and vendor error are valid ({@code ibv_poll_cq(3)}).
 */
@ProviderType
public interface WorkCompletions {
    /**
     * Returns how many completions the last poll took.
     *
     * @return 0 to {@link #capacity()}
     */
    int count();

    /**
     * Returns how many completions this takes.
     *
     * @return at least 1
     */
    int capacity();

    /**
     * Returns the number that the work request was posted with.
     *
     * @param index 0 to {@link #count()} - 1
     * @return the id
     * @throws IndexOutOfBoundsException if the index is out of range
     */
    long workRequestId(int index);

    /**
     * Returns how the work request ended.
     *
     * @param index 0 to {@link #count()} - 1
     * @return the status
     * @throws IndexOutOfBoundsException if the index is out of range
     */
    WorkCompletionStatus status(int index);

    /**
     * Returns what the work request did.
     *
     * @param index 0 to {@link #count()} - 1
     * @return the operation
     * @throws IndexOutOfBoundsException if the index is out of range
     */
    WorkCompletionOperation operation(int index);

    /**
     * Returns how many bytes were received or read.
     *
     * @param index 0 to {@link #count()} - 1
     * @return bytes; 0 for sends and writes
     * @throws IndexOutOfBoundsException if the index is out of range
     */
    long byteCount(int index);

    /**
     * Returns the number of the queue pair that the work request was posted on.
     *
     * @param index 0 to {@link #count()} - 1
     * @return 24 bits, as in {@link QueuePair#number()}
     * @throws IndexOutOfBoundsException if the index is out of range
     */
    int queuePairNumber(int index);

    /**
     * Tells whether immediate data came with it.
     *
     * @param index 0 to {@link #count()} - 1
     * @return {@code true} if {@link #immediateData(int)} is valid
     * @throws IndexOutOfBoundsException if the index is out of range
     */
    boolean hasImmediateData(int index);

    /**
     * Returns the immediate data of the peer.
     *
     * @param index 0 to {@link #count()} - 1
     * @return 32 bits, in the order of the host
     * @throws IndexOutOfBoundsException if the index is out of range
     */
    int immediateData(int index);

    /**
     * Returns the remote key that the peer's send has invalidated.
     *
     * @param index 0 to {@link #count()} - 1
     * @return the key, 0 if none
     * @throws IndexOutOfBoundsException if the index is out of range
     */
    int invalidatedKey(int index);

    /**
     * Returns what the provider has to say of an error, for people.
     *
     * @param index 0 to {@link #count()} - 1
     * @return a number of the provider's own, 0 if none
     * @throws IndexOutOfBoundsException if the index is out of range
     */
    int vendorError(int index);
}
