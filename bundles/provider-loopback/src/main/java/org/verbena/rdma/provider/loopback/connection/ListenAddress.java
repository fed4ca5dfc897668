package org.verbena.rdma.provider.loopback.connection;

import java.net.InetSocketAddress;
import org.verbena.rdma.cm.PortSpace;

/**
 * Where a listener listens.
 *
 * @param portSpace where the port lives
 * @param address address and port
 */
record ListenAddress(PortSpace portSpace, InetSocketAddress address) {}
