// SPDX-License-Identifier: Apache-2.0
package org.verbena.rdma.itests.consumers.complete;

import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.verbena.rdma.RdmaDevice;
import org.verbena.rdma.cm.ConnectionManager;
import org.verbena.rdma.monitor.Monitor;

/** A component that needs each of the services that core registers. */
@Component(immediate = true)
public final class CompleteConsumer {
    @Activate
    public CompleteConsumer(
            @Reference ConnectionManager connectionManager, @Reference RdmaDevice device, @Reference Monitor monitor) {}
}
