package org.verbena.rdma.core.verbs;

import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;

/** What a provider throws that its interface does not allow, made into something that a consumer can take. */
final class ProviderFailure {
    private ProviderFailure() {}

    /**
     * Makes the exception for a call that has failed.
     *
     * @param call what was called, such as {@code post on queue pair 5 of iwarp-lo}
     * @param failure what the provider has thrown
     * @return the exception to throw
     * @throws VirtualMachineError if that is what the provider has thrown: it is not the provider's
     */
    static RdmaException of(String call, Throwable failure) {
        if (failure instanceof VirtualMachineError error) {
            throw error;
        }
        return new RdmaException(
                RdmaError.INPUT_OUTPUT, "the provider has failed in " + call + " with " + failure, failure);
    }
}
