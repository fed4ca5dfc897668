package org.verbena.rdma.spi;

import org.osgi.annotation.versioning.ProviderType;
import org.verbena.rdma.Path;
import org.verbena.rdma.RdmaError;

/** What a provider tells core of a path query: one of the two, once. */
@ProviderType
public interface PathUpcalls {
    /**
     * The path was found.
     *
     * @param path the path
     */
    void found(Path path);

    /**
     * There is no path.
     *
     * @param error why
     */
    void failed(RdmaError error);
}
