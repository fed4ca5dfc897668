/** The devices, their listeners and their endpoints: what core calls, and the handshakes behind it. */
package org.verbena.rdma.provider.iwarp.device;
