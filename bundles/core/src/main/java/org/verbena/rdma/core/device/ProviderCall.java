package org.verbena.rdma.core.device;

import org.verbena.rdma.RdmaException;

/**
 * A call into a provider.
 *
 * @param <T> what it returns
 */
@FunctionalInterface
public interface ProviderCall<T> {
    /**
     * Makes the call.
     *
     * @return what the provider returns
     * @throws RdmaException what the provider throws
     */
    T make() throws RdmaException;
}
