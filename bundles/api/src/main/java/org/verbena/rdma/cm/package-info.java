/**
 * Connection management: from an address to an established connection, and what becomes of it.
 *
 * <p>A consumer gets a {@link org.verbena.rdma.cm.ConnectionManager} service, makes a
 * {@link org.verbena.rdma.cm.CmId} from it and is told of everything through its
 * {@link org.verbena.rdma.cm.EventHandler}. The names and moves are those of {@code rdma_cm(7)}, the promises are
 * stronger: callbacks of one id never overlap, no event is lost or comes twice, none comes after the id is destroyed,
 * and the removal of a device is an event like any other.
 *
 * <p>Versions: 1.1 has brought {@link org.verbena.rdma.cm.CmEventType#ADDR_CHANGE}. A consumer whose import of this
 * package starts at a lower version is never shown a newer event.
 */
@Export
@Version("1.1.0")
package org.verbena.rdma.cm;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
