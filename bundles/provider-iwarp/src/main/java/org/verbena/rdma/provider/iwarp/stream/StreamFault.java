package org.verbena.rdma.provider.iwarp.stream;

import org.verbena.rdma.provider.iwarp.wire.TerminateCode;

/** The peer has violated the protocol, or asks for what it may not have: the stream is to be terminated. */
final class StreamFault extends Exception {
    private static final long serialVersionUID = 1L;

    private final TerminateCode code;

    StreamFault(TerminateCode code) {
        super(code.name(), null, false, false);
        this.code = code;
    }

    TerminateCode code() {
        return code;
    }
}
