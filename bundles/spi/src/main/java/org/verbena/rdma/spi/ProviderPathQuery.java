package org.verbena.rdma.spi;

import org.osgi.annotation.versioning.ConsumerType;

/** A path query under way at a provider. */
@ConsumerType
public interface ProviderPathQuery {
    /** Gives up. When this has returned no upcall is made any more; called once by core, also after the outcome. */
    void close();
}
