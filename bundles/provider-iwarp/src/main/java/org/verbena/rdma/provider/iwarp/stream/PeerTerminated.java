package org.verbena.rdma.provider.iwarp.stream;

/** The peer has sent a Terminate. */
final class PeerTerminated extends Exception {
    private static final long serialVersionUID = 1L;

    /** Layer, error type and error code. */
    private final int code;

    /** The message sequence number of the read request to blame, 0 if it is not told. */
    private final int readRequest;

    PeerTerminated(int code, int readRequest) {
        super(null, null, false, false);
        this.code = code;
        this.readRequest = readRequest;
    }

    int code() {
        return code;
    }

    int readRequest() {
        return readRequest;
    }
}
