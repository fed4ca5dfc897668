// SPDX-License-Identifier: Apache-2.0
package org.verbena.rdma.itests.consumers.sessions;

import java.util.function.Supplier;
import org.verbena.rdma.ProtectionDomain;
import org.verbena.rdma.RdmaDevice;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.cm.CmId;
import org.verbena.rdma.cm.ConnectionManager;
import org.verbena.rdma.cm.EventHandler;
import org.verbena.rdma.cm.PortSpace;

/** Holds an id and a protection domain, and tells whether they are alive: each of them, or why not. */
abstract class Holder implements Supplier<String> {
    private final CmId id;
    private final ProtectionDomain domain;

    Holder(ConnectionManager connectionManager, RdmaDevice device) throws RdmaException {
        id = connectionManager.createId(PortSpace.TCP, event -> EventHandler.Verdict.KEEP);
        domain = device.createProtectionDomain();
    }

    @Override
    public String get() {
        return "id " + (isAlive() ? "alive" : "destroyed") + ", domain " + (domain.isOpen() ? "open" : "closed");
    }

    private boolean isAlive() {
        try {
            id.typeOfService(0);
            return true;
        } catch (IllegalStateException destroyed) {
            return false;
        }
    }
}
