package org.verbena.rdma.spi;

import org.osgi.annotation.versioning.ProviderType;
import org.verbena.rdma.WorkCompletionOperation;
import org.verbena.rdma.WorkCompletionStatus;

/** Where a provider puts completions that are polled. Allocates nothing. */
@ProviderType
public interface CompletionSink {
    /** Bit of {@code flags}: immediate data is valid. */
    int IMMEDIATE_DATA = 1;

    /** Bit of {@code flags}: the peer has invalidated a key. */
    int INVALIDATED = 2;

    /**
     * Takes one completion.
     *
     * @param workRequestId the number of the work request
     * @param status how it ended
     * @param operation what it did
     * @param byteCount how many bytes were received or read
     * @param queuePairNumber the queue pair
     * @param flags a sum of the bits above
     * @param keyOrImmediate the invalidated key, or the immediate data in the order of the host
     * @param vendorError a number of the provider's own, 0 for none
     */
    void completion(
            long workRequestId,
            WorkCompletionStatus status,
            WorkCompletionOperation operation,
            long byteCount,
            int queuePairNumber,
            int flags,
            int keyOrImmediate,
            int vendorError);
}
