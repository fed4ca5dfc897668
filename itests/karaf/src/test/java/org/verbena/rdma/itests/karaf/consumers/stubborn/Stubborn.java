package org.verbena.rdma.itests.karaf.consumers.stubborn;

import java.net.InetSocketAddress;
import java.util.concurrent.CountDownLatch;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceScope;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.cm.CmEvent;
import org.verbena.rdma.cm.CmEventType;
import org.verbena.rdma.cm.CmId;
import org.verbena.rdma.cm.ConnectionManager;
import org.verbena.rdma.cm.EventHandler.Verdict;
import org.verbena.rdma.cm.PortSpace;

/** Has an id, and does not let go of it when its device is removed, until this bundle is stopped. */
@Component(immediate = true)
public final class Stubborn {
    private final CountDownLatch released = new CountDownLatch(1);

    @Activate
    public Stubborn(@Reference(scope = ReferenceScope.PROTOTYPE_REQUIRED) ConnectionManager connectionManager)
            throws RdmaException {
        CmId id = connectionManager.createId(PortSpace.TCP, this::onEvent);
        id.bindAddress(new InetSocketAddress("198.18.0.1", 0));
    }

    private Verdict onEvent(CmEvent event) throws InterruptedException {
        if (event.type() == CmEventType.DEVICE_REMOVAL) {
            released.await();
        }
        return Verdict.DESTROY;
    }

    @Deactivate
    void release() {
        released.countDown();
    }
}
