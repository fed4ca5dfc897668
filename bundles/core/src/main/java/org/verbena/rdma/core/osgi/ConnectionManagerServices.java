package org.verbena.rdma.core.osgi;

import org.osgi.framework.Bundle;
import org.osgi.framework.PrototypeServiceFactory;
import org.osgi.framework.ServiceRegistration;
import org.verbena.rdma.cm.ConnectionManager;
import org.verbena.rdma.core.Core;
import org.verbena.rdma.core.cm.SessionConnectionManager;

/**
 * Gives each component, or each bundle, a connection manager of its own. The framework gives it back when the component
 * is deactivated or the bundle has stopped; that is how core learns of it (C12). Has no state.
 */
final class ConnectionManagerServices implements PrototypeServiceFactory<ConnectionManager> {
    private final Core core;
    private final SessionOpener opener;

    ConnectionManagerServices(Core core, SessionOpener opener) {
        this.core = core;
        this.opener = opener;
    }

    @Override
    public ConnectionManager getService(Bundle bundle, ServiceRegistration<ConnectionManager> registration) {
        return core.connectionManager(opener.open(bundle));
    }

    @Override
    public void ungetService(
            Bundle bundle, ServiceRegistration<ConnectionManager> registration, ConnectionManager service) {
        core.endSession(((SessionConnectionManager) service).session());
    }
}
