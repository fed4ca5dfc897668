package org.verbena.rdma;

/** The messages of connection management that carry private data. */
public enum PrivateDataCarrier {
    /** The connect request: IB REQ, MPA Request (RFC 5044, section 7.1). */
    REQUEST,
    /** The answer to it: IB REP, MPA Reply. */
    REPLY,
    /** The refusal: IB REJ, MPA Reply with the reject bit. */
    REJECT
}
