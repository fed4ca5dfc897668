// SPDX-License-Identifier: Apache-2.0
package org.verbena.rdma.itests.consumers.sessions;

import java.util.function.Supplier;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.verbena.rdma.RdmaDevice;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.cm.ConnectionManager;

/** A component that shares its session with the others of its bundle that have none of their own. */
@Component(immediate = true, service = Supplier.class, property = "holder=shared-2")
public final class SharedSessionTwo extends Holder {
    @Activate
    public SharedSessionTwo(
            @Reference ConnectionManager connectionManager,
            @Reference(target = "(rdma.name=lo1)") RdmaDevice device,
            @Reference(target = "(switch=shared-2)") Runnable on)
            throws RdmaException {
        super(connectionManager, device);
    }
}
