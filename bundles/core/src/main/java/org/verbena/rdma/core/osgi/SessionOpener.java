package org.verbena.rdma.core.osgi;

import org.osgi.framework.Bundle;
import org.verbena.rdma.core.Core;
import org.verbena.rdma.core.session.Session;

/** Opens sessions for bundles. */
final class SessionOpener {
    private final Core core;
    private final ImportFloor floor = new ImportFloor();

    SessionOpener(Core core) {
        this.core = core;
    }

    Session open(Bundle bundle) {
        return core.openSession(bundle.getSymbolicName(), bundle.getBundleId(), floor.of(bundle));
    }
}
