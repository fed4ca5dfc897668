package org.verbena.rdma.rping.run;

import java.util.concurrent.CompletableFuture;

/** A server. */
public interface Serving extends Run {
    /** The port, when it listens; not completed if it cannot. */
    CompletableFuture<Integer> listening();

    /** Lets it come to a good end, now that the only client that it was there for has left. */
    void clientLeft();
}
