// SPDX-License-Identifier: Apache-2.0
package org.verbena.rdma.itests.consumers.sessions;

import java.util.function.Supplier;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceScope;
import org.verbena.rdma.RdmaDevice;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.cm.ConnectionManager;

/** A component with a session of its own. */
@Component(immediate = true, service = Supplier.class, property = "holder=own-1")
public final class OwnSessionOne extends Holder {
    @Activate
    public OwnSessionOne(
            @Reference(scope = ReferenceScope.PROTOTYPE_REQUIRED) ConnectionManager connectionManager,
            @Reference(scope = ReferenceScope.PROTOTYPE_REQUIRED, target = "(rdma.name=lo1)") RdmaDevice device,
            @Reference(target = "(switch=own-1)") Runnable on)
            throws RdmaException {
        super(connectionManager, device);
    }
}
