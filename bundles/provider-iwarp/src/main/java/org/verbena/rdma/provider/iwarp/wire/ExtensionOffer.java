package org.verbena.rdma.provider.iwarp.wire;

/**
 * How two of these providers tell each other that they take the operations of RFC 7306, which has no way of its own
 * (section 1.1): an RDMA Write of zero bytes. Its STag and tagged offset mean nothing (RFC 5041, section 5.1), so any
 * other peer drops it without a look at them. An offer asks for an answer, an answer for nothing.
 */
public final class ExtensionOffer {
    /** The STag of an offer. */
    public static final int OFFER = 0x7306_0001;

    /** The STag of an answer. */
    public static final int ANSWER = 0x7306_0002;

    /** The tagged offset of both: this provider's name. */
    public static final long TAGGED_OFFSET = 0x5665_7262_656E_6101L;

    private ExtensionOffer() {}
}
