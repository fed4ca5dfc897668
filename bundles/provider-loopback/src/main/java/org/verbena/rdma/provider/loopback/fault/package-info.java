/**
 * Faults on demand: what a test, or a person at a console, can let happen to the devices of the loopback provider, and
 * what has been seen of how they are used.
 *
 * <p>{@link org.verbena.rdma.provider.loopback.fault.LoopbackFaults} is an OSGi service of the provider's bundle.
 */
@Export
@Version("1.1.0")
package org.verbena.rdma.provider.loopback.fault;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
