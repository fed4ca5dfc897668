package org.verbena.rdma.core.verbs;

import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;

/** A session. */
final class FakeOwner implements VerbsOwner {
    private final String bundle;
    private volatile boolean ended;

    FakeOwner(String bundle) {
        this.bundle = bundle;
    }

    void end() {
        ended = true;
    }

    @Override
    public String bundle() {
        return bundle;
    }

    @Override
    public void ensureOpen() throws RdmaException {
        if (ended) {
            throw new RdmaException(RdmaError.CONNECTION_ABORTED, "the session of " + bundle + " has ended");
        }
    }
}
