/** Turns configurations and network interfaces into device services that come and go. */
@RdmaProvider(type = "iwarp")
package org.verbena.rdma.provider.iwarp.activation;

import org.verbena.rdma.spi.RdmaProvider;
