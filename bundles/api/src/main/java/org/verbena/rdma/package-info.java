/**
 * Devices and verbs: what an RDMA device offers once a consumer holds it.
 *
 * <p>A device is an {@link org.verbena.rdma.RdmaDevice} service. Everything made from it hangs below it: protection
 * domains hold memory regions, queue pairs and shared receive queues; completion queues report what became of posted
 * work. Connections are made by {@code org.verbena.rdma.cm}.
 *
 * <p>All types but the work requests and {@link org.verbena.rdma.WorkCompletions} are safe for use by many threads. Of
 * two conflicting calls the loser gets an {@link java.lang.IllegalStateException} that names the state. A failed call
 * changes nothing. After the removal of a device every call on its objects throws
 * {@link org.verbena.rdma.DeviceRemovedException}, with two exceptions: {@code close()} is a harmless no-op, and
 * completions that were flushed by the removal can still be polled.
 */
@Export
@Version("1.0.0")
package org.verbena.rdma;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
