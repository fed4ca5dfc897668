package org.verbena.rdma.provider.iwarp.mpa;

import org.verbena.rdma.RdmaError;
import org.verbena.rdma.provider.iwarp.wire.TerminateCode;

/** The set-up of a connection has failed. */
public final class SetupFault extends Exception {
    private static final long serialVersionUID = 1L;

    /** The code. */
    private final RdmaError error;

    /** What to tell the peer, or {@code null} if it gets no Terminate. */
    private final TerminateCode terminate;

    public SetupFault(RdmaError error, String message) {
        super(message);
        this.error = error;
        this.terminate = null;
    }

    public SetupFault(TerminateCode terminate, String message) {
        super(message);
        this.error = RdmaError.PROTOCOL;
        this.terminate = terminate;
    }

    public TerminateCode terminate() {
        return terminate;
    }

    public RdmaError error() {
        return error;
    }
}
