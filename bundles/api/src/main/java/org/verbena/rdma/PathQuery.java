package org.verbena.rdma;

import java.util.concurrent.CompletionStage;
import org.osgi.annotation.versioning.ProviderType;

/** A path query under way; see {@link RdmaDevice#queryPath}. Methods may be called on any thread. */
@ProviderType
public interface PathQuery {
    /**
     * Returns the stage that completes exactly once. Its continuations run on the dispatcher and count as callbacks.
     *
     * @return the stage; it completes exceptionally with an {@link RdmaException}
     */
    CompletionStage<Path> path();

    /**
     * Gives up. The stage completes with {@link RdmaError#CANCELLED} unless it has completed before.
     *
     * @return {@code true} if this call has decided how the query ends
     */
    boolean cancel();
}
