/**
 * For operating Verbena: what is there, what it does, who holds up what; and taking a device out and putting it back.
 *
 * <p>All that is told here is an immutable snapshot. Shell, console, JMX, health checks and metrics are adapters over it.
 */
@Export
@Version("1.0.0")
package org.verbena.rdma.monitor;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
