package org.verbena.rdma;

import org.osgi.annotation.versioning.ProviderType;

/**
 * A request for a send queue, filled in place and posted as often as wanted: post copies what it needs, so the request
 * may be changed as soon as post has returned. Not safe for use by several threads at a time.
 *
 * <p>Made by {@link ProtectionDomain#createSendWorkRequest(int)}; empty, signalled, not solicited, not fenced at first.
 * The methods return this request.
 */
@ProviderType
public interface SendWorkRequest {
    /**
     * Forgets everything.
     *
     * @return this
     */
    SendWorkRequest clear();

    /**
     * Sets the number that the completion carries.
     *
     * @param workRequestId any number
     * @return this
     */
    SendWorkRequest workRequestId(long workRequestId);

    /**
     * Appends a local segment: the source of a send or write, the sink of a read or atomic.
     *
     * @param region a region of the domain that this request was made by
     * @param offset where the segment starts in the region, in bytes
     * @param length how long it is, in bytes; may be 0
     * @return this
     * @throws IllegalArgumentException if the region is of another domain, or the segment does not lie in it
     * @throws IllegalStateException if the request has no room for another segment
     */
    SendWorkRequest segment(MemoryRegion region, long offset, long length);

    /**
     * Forgets the segments only.
     *
     * @return this
     */
    SendWorkRequest clearSegments();

    /**
     * Asks for a completion also in case of success. On by default.
     *
     * @param signaled whether a success is reported; errors always are
     * @return this
     */
    SendWorkRequest signaled(boolean signaled);

    /**
     * Asks the peer for a solicited event.
     *
     * @param solicited whether the peer's receive counts for {@code requestNotification(true)}
     * @return this
     */
    SendWorkRequest solicited(boolean solicited);

    /**
     * Makes the request wait for reads and atomics that were posted before it.
     *
     * @param fenced whether to wait
     * @return this
     */
    SendWorkRequest fenced(boolean fenced);

    /**
     * Asks to copy the segments at post time, so that the memory may be changed at once.
     *
     * @param inline whether to copy; the length is limited by {@link DeviceAttributes#maxInlineData()}
     * @return this
     */
    SendWorkRequest inline(boolean inline);

    /**
     * Makes this a send.
     *
     * @return this
     */
    SendWorkRequest send();

    /**
     * Makes this a send with immediate data.
     *
     * @param immediateData 32 bits, in the order of the host
     * @return this
     */
    SendWorkRequest sendWithImmediate(int immediateData);

    /**
     * Makes this a send that invalidates a key of the peer.
     *
     * @param remoteKey the key
     * @return this
     */
    SendWorkRequest sendWithInvalidate(int remoteKey);

    /**
     * Makes this a write.
     *
     * @param remoteAddress where to, as {@link MemoryRegion#remoteAddress()} of the peer plus an offset
     * @param remoteKey the key of the peer's region
     * @return this
     */
    SendWorkRequest write(long remoteAddress, int remoteKey);

    /**
     * Makes this a write with immediate data.
     *
     * @param remoteAddress where to
     * @param remoteKey the key of the peer's region
     * @param immediateData 32 bits, in the order of the host
     * @return this
     */
    SendWorkRequest writeWithImmediate(long remoteAddress, int remoteKey, int immediateData);

    /**
     * Makes this a read.
     *
     * @param remoteAddress where from
     * @param remoteKey the key of the peer's region
     * @return this
     */
    SendWorkRequest read(long remoteAddress, int remoteKey);

    /**
     * Makes this a compare-and-swap of 64 bits.
     *
     * @param remoteAddress where, divisible by 8
     * @param remoteKey the key of the peer's region
     * @param expected what must be there
     * @param replacement what to put there
     * @return this
     */
    SendWorkRequest compareAndSwap(long remoteAddress, int remoteKey, long expected, long replacement);

    /**
     * Makes this a fetch-and-add of 64 bits.
     *
     * @param remoteAddress where, divisible by 8
     * @param remoteKey the key of the peer's region
     * @param addend what to add
     * @return this
     */
    SendWorkRequest fetchAndAdd(long remoteAddress, int remoteKey, long addend);
}
