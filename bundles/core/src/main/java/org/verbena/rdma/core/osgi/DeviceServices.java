package org.verbena.rdma.core.osgi;

import org.osgi.framework.Bundle;
import org.osgi.framework.PrototypeServiceFactory;
import org.osgi.framework.ServiceRegistration;
import org.verbena.rdma.RdmaDevice;
import org.verbena.rdma.core.Core;
import org.verbena.rdma.core.cm.SessionDevice;
import org.verbena.rdma.core.device.Device;
import org.verbena.rdma.core.session.Session;

/**
 * Gives each component, or each bundle, a view of its own of one device; see {@link ConnectionManagerServices}. The
 * framework takes it back when the device goes, too.
 */
final class DeviceServices implements PrototypeServiceFactory<RdmaDevice> {
    private final Core core;
    private final SessionOpener opener;
    private final Device device;

    DeviceServices(Core core, SessionOpener opener, Device device) {
        this.core = core;
        this.opener = opener;
        this.device = device;
    }

    @Override
    public RdmaDevice getService(Bundle bundle, ServiceRegistration<RdmaDevice> registration) {
        return core.device(opener.open(bundle), device);
    }

    @Override
    public void ungetService(Bundle bundle, ServiceRegistration<RdmaDevice> registration, RdmaDevice service) {
        Session session = ((SessionDevice) service).session();
        if (bundle.getState() == Bundle.STOPPING) {
            core.endSession(session);
        } else {
            core.giveBack(session, device);
        }
    }
}
