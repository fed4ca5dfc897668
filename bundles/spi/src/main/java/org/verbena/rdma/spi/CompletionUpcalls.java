package org.verbena.rdma.spi;

import org.osgi.annotation.versioning.ProviderType;

/** What a provider tells core of a completion queue. Allocates nothing and never blocks. */
@ProviderType
public interface CompletionUpcalls {
    /** A completion has arrived since notification was asked for. Once for each time that it was. */
    void completionEvent();
}
