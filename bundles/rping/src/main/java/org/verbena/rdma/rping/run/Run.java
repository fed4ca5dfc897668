package org.verbena.rdma.rping.run;

import org.verbena.rdma.RdmaException;
import org.verbena.rdma.rping.wire.PingFailedException;

/** A client or a server. */
public interface Run {
    /**
     * Runs it to its end.
     *
     * @return the exit status
     * @throws PingFailedException if it fails, or was stopped
     * @throws RdmaException if a call fails
     * @throws InterruptedException never by what this does itself: it is ended by {@link #stop()}
     */
    int run() throws PingFailedException, RdmaException, InterruptedException;

    /** Lets it come to its end soon. Any thread, any time, but not inside of callbacks. */
    void stop();
}
