package org.verbena.rdma.provider.iwarp.stream;

/** This side cannot go on: memory of its own work was closed, say. The work request to blame is marked already. */
final class LocalFault extends Exception {
    private static final long serialVersionUID = 1L;

    LocalFault() {
        super(null, null, false, false);
    }
}
