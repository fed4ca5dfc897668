package org.verbena.rdma.spi;

import org.osgi.annotation.versioning.ProviderType;

/** A receive request as a provider reads it, valid inside of the post call only. */
@ProviderType
public interface ReceiveRequest {
    /**
     * Returns the number that the completion carries.
     *
     * @return any number
     */
    long workRequestId();

    /**
     * Returns how many segments there are.
     *
     * @return 0 or more
     */
    int segmentCount();

    /**
     * Returns the region of a segment.
     *
     * @param index 0 to {@link #segmentCount()} - 1
     * @return the provider's region
     */
    ProviderMemoryRegion region(int index);

    /**
     * Returns where a segment starts.
     *
     * @param index 0 to {@link #segmentCount()} - 1
     * @return bytes from the start of the region
     */
    long offset(int index);

    /**
     * Returns how long a segment is.
     *
     * @param index 0 to {@link #segmentCount()} - 1
     * @return bytes; the segment lies in its region
     */
    long length(int index);

    /**
     * Returns the length of all segments.
     *
     * @return bytes
     */
    long totalLength();
}
