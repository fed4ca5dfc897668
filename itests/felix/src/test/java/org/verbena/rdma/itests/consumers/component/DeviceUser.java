// SPDX-License-Identifier: Apache-2.0
package org.verbena.rdma.itests.consumers.component;

import java.net.InetSocketAddress;
import java.util.function.BiConsumer;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceScope;
import org.verbena.rdma.RdmaDevice;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.cm.CmEvent;
import org.verbena.rdma.cm.CmId;
import org.verbena.rdma.cm.ConnectionManager;
import org.verbena.rdma.cm.EventHandler.Verdict;
import org.verbena.rdma.cm.PortSpace;

/**
 * A component that needs a device: it listens on it, and lets the test act in its callbacks and in its deactivate. The
 * hook is told the moment ({@code activate}, an event, {@code deactivate}) and can destroy the listener.
 */
@Component(
        immediate = true,
        service = {})
public final class DeviceUser {
    private final BiConsumer<String, Runnable> hook;
    private final CmId listener;

    @Activate
    public DeviceUser(
            @Reference(scope = ReferenceScope.PROTOTYPE_REQUIRED, target = "(rdma.name=lo1)") RdmaDevice device,
            @Reference(scope = ReferenceScope.PROTOTYPE_REQUIRED) ConnectionManager connectionManager,
            @Reference(target = "(hook=component)") BiConsumer<String, Runnable> hook)
            throws RdmaException {
        this.hook = hook;
        listener = connectionManager.createId(PortSpace.TCP, device, this::onEvent);
        listener.bindAddress(new InetSocketAddress(device.addresses().get(0), 7200));
        listener.listen(0);
        hook.accept("activate", listener::destroy);
    }

    @Deactivate
    void deactivate() {
        hook.accept("deactivate", listener::destroy);
    }

    private Verdict onEvent(CmEvent event) {
        hook.accept(event.type().name(), listener::destroy);
        return Verdict.DESTROY;
    }
}
