package org.verbena.rdma.spi;

import org.osgi.annotation.versioning.ProviderType;
import org.verbena.rdma.SendOperation;

/** A send request as a provider reads it, valid inside of the post call only. */
@ProviderType
public interface SendRequest extends ReceiveRequest {
    /**
     * Returns what to do.
     *
     * @return the operation
     */
    SendOperation operation();

    /**
     * Returns the address in the peer's memory, for write, read and atomics.
     *
     * @return an unsigned 64-bit number
     */
    long remoteAddress();

    /**
     * Returns the key of the peer's region, for write, read, atomics and send with invalidate.
     *
     * @return an unsigned 32-bit number
     */
    int remoteKey();

    /**
     * Returns the immediate data.
     *
     * @return 32 bits, in the order of the host
     */
    int immediateData();

    /**
     * Returns what compare-and-swap expects, or what fetch-and-add adds.
     *
     * @return 64 bits
     */
    long compareOrAdd();

    /**
     * Returns what compare-and-swap puts.
     *
     * @return 64 bits
     */
    long swap();

    /**
     * Tells whether a success is reported.
     *
     * @return {@code true} if so
     */
    boolean isSignaled();

    /**
     * Tells whether the peer is asked for a solicited event.
     *
     * @return {@code true} if so
     */
    boolean isSolicited();

    /**
     * Tells whether the request waits for reads and atomics before it.
     *
     * @return {@code true} if so
     */
    boolean isFenced();

    /**
     * Tells whether the segments are to be copied at once.
     *
     * @return {@code true} if so
     */
    boolean isInline();
}
