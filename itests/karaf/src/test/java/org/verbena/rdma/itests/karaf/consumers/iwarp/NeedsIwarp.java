package org.verbena.rdma.itests.karaf.consumers.iwarp;

import org.verbena.rdma.RequireRdmaProvider;

/** The code of a bundle that requires a certain provider. */
@RequireRdmaProvider(type = "iwarp")
public final class NeedsIwarp {}
