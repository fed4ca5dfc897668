package org.verbena.rdma.rping.wire;

/** What was posted did not get done because the connection has ended; an event tells why. */
public final class ConnectionEndedException extends PingFailedException {
    private static final long serialVersionUID = 1L;

    /** Made by whoever sees a flushed completion. */
    public ConnectionEndedException() {
        super("the connection has ended");
    }
}
