package org.verbena.rdma;

/**
 * What a work request on a send queue asks for.
 *
 * <p>Atomics work on numbers in the byte order of the machine that holds them ({@code ByteOrder.nativeOrder()}), as
 * those of hardware do ({@code ibv_post_send(3)}), whatever the order of a buffer.
 */
public enum SendOperation {
    /** Send: fills a receive of the peer. */
    SEND,
    /** Send with immediate data; with bytes too where the device has {@link DeviceCapability#SEND_WITH_IMMEDIATE_DATA}. */
    SEND_WITH_IMMEDIATE,
    /** Send that invalidates a key of the peer (RFC 5040, section 5.3). */
    SEND_WITH_INVALIDATE,
    /** Write into the peer's memory. */
    WRITE,
    /** Write into the peer's memory and use up a receive of the peer, which gets the immediate data. */
    WRITE_WITH_IMMEDIATE,
    /** Read from the peer's memory. */
    READ,
    /** Swap 64 bits of the peer's memory if they are as expected; the segment gets what was there. */
    COMPARE_AND_SWAP,
    /** Add to 64 bits of the peer's memory; the segment gets what was there. */
    FETCH_AND_ADD
}
