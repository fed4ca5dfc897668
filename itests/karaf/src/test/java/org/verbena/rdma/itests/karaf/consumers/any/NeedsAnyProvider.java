package org.verbena.rdma.itests.karaf.consumers.any;

import org.verbena.rdma.RequireRdmaProvider;

/** The code of a bundle that requires some provider. */
@RequireRdmaProvider
public final class NeedsAnyProvider {}
