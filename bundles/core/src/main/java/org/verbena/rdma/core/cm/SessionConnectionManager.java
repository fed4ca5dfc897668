package org.verbena.rdma.core.cm;

import java.util.Objects;
import org.verbena.rdma.RdmaDevice;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.cm.CmId;
import org.verbena.rdma.cm.ConnectionManager;
import org.verbena.rdma.cm.EventHandler;
import org.verbena.rdma.cm.PortSpace;
import org.verbena.rdma.core.device.Device;
import org.verbena.rdma.core.session.Session;

/**
 * The connection manager as one session sees it.
 *
 * @param session whose view it is
 * @param surroundings what ids need around them
 */
public record SessionConnectionManager(Session session, Surroundings surroundings) implements ConnectionManager {
    @Override
    public CmId createId(PortSpace portSpace, EventHandler handler) throws RdmaException {
        session.ensureOpen();
        return ConnectionId.create(surroundings, session, portSpace, null, handler);
    }

    @Override
    public CmId createId(PortSpace portSpace, RdmaDevice device, EventHandler handler) throws RdmaException {
        session.ensureOpen();
        Objects.requireNonNull(device, "device");
        if (!(device instanceof SessionDevice view)) {
            throw new IllegalArgumentException("device must be an RdmaDevice service of core, not a "
                    + device.getClass().getName());
        }
        Device core = view.core();
        core.requireNotMarked();
        return ConnectionId.create(surroundings, session, portSpace, core, handler);
    }
}
