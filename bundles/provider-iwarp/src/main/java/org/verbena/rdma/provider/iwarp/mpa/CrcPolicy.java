package org.verbena.rdma.provider.iwarp.mpa;

/** What this side wants of CRCs. They are used on a connection if either side asks for them (RFC 5044, section 7.1). */
public enum CrcPolicy {
    /** Asks for them, and does not take a reply that does not confirm them. */
    REQUIRED,
    /** Asks for them. */
    PREFERRED,
    /** Does not ask; uses them if the peer asks. */
    OFF
}
