package org.verbena.rdma;

import org.osgi.annotation.versioning.ProviderType;

/**
 * A request for a receive queue, filled in place and posted as often as wanted; see {@link SendWorkRequest}. Not safe
 * for use by several threads at a time.
 */
@ProviderType
public interface ReceiveWorkRequest {
    /**
     * Forgets everything.
     *
     * @return this
     */
    ReceiveWorkRequest clear();

    /**
     * Sets the number that the completion carries.
     *
     * @param workRequestId any number
     * @return this
     */
    ReceiveWorkRequest workRequestId(long workRequestId);

    /**
     * Appends a segment that takes received bytes.
     *
     * @param region a region of the domain that this request was made by, with {@link Access#LOCAL_WRITE}
     * @param offset where the segment starts in the region, in bytes
     * @param length how long it is, in bytes; may be 0
     * @return this
     * @throws IllegalArgumentException if the region is of another domain or lacks the right, or the segment does not lie
     *     in it
     * @throws IllegalStateException if the request has no room for another segment
     */
    ReceiveWorkRequest segment(MemoryRegion region, long offset, long length);

    /**
     * Forgets the segments only.
     *
     * @return this
     */
    ReceiveWorkRequest clearSegments();
}
