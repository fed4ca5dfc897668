/** Registered memory, the STags that name it on the wire, and the segments of work requests that lie in it. */
package org.verbena.rdma.provider.iwarp.memory;
