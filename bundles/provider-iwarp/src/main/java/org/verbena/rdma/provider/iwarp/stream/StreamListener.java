package org.verbena.rdma.provider.iwarp.stream;

import org.verbena.rdma.RdmaError;

/** What a stream tells the endpoint that it belongs to, on the loop. */
public interface StreamListener {
    /** The initiator's first frame has come. Told to the responder only. */
    void begun();

    /**
     * A Terminate goes out or has come; the end follows.
     *
     * @param sent whether this side sends it
     * @param code layer, error type and error code, as the upper half of the terminate control carries them
     */
    default void terminated(boolean sent, int code) {}

    /**
     * The stream has ended; the queue pair is in state ERROR.
     *
     * @param status SUCCESS for an end in good order
     */
    void ended(RdmaError status);
}
