package org.verbena.rdma;

/** What a finished work request did. */
public enum WorkCompletionOperation {
    /** A send, of any kind. */
    SEND,
    /** A write, with or without immediate data. */
    WRITE,
    /** A read. */
    READ,
    /** A compare-and-swap. */
    COMPARE_AND_SWAP,
    /** A fetch-and-add. */
    FETCH_AND_ADD,
    /** A receive that a send has filled. */
    RECEIVE,
    /** A receive that the peer's write with immediate data has used up. */
    RECEIVE_WRITE_WITH_IMMEDIATE
}
