package org.verbena.rdma.examples;

import static org.verbena.rdma.Access.LOCAL_WRITE;
import static org.verbena.rdma.Access.REMOTE_READ;
import static org.verbena.rdma.Access.REMOTE_WRITE;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Set;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceScope;
import org.verbena.rdma.CompletionQueue;
import org.verbena.rdma.MemoryRegion;
import org.verbena.rdma.ProtectionDomain;
import org.verbena.rdma.QueuePairConfiguration;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.VerbsObject;
import org.verbena.rdma.cm.CmEvent;
import org.verbena.rdma.cm.CmId;
import org.verbena.rdma.cm.ConnectionManager;
import org.verbena.rdma.cm.ConnectionParameters;
import org.verbena.rdma.cm.EventHandler.Verdict;
import org.verbena.rdma.cm.PortSpace;

/** Memory that peers read and write by RDMA, on all devices that there are and will be. */
@Component(immediate = true)
public class Blackboard {
    private final ByteBuffer board = ByteBuffer.allocateDirect(4096);

    @Activate
    public Blackboard(@Reference(scope = ReferenceScope.PROTOTYPE_REQUIRED) ConnectionManager connectionManager)
            throws RdmaException {
        CmId listener = connectionManager.createId(PortSpace.TCP, this::onEvent);
        listener.bindAddress(new InetSocketAddress("0.0.0.0", 4711));
        listener.listen(0);
    }

    private Verdict onEvent(CmEvent event) throws RdmaException {
        switch (event.type()) {
            case CONNECT_REQUEST:
                accept(event.id());
                return Verdict.KEEP;
            case DISCONNECTED, CONNECT_ERROR, DEVICE_REMOVAL:
                return Verdict.DESTROY; // the queue pair goes with the id
            default:
                return Verdict.KEEP;
        }
    }

    private void accept(CmId peer) throws RdmaException {
        ProtectionDomain domain = peer.device().createProtectionDomain();
        MemoryRegion region = domain.registerMemory(board, Set.of(LOCAL_WRITE, REMOTE_READ, REMOTE_WRITE));
        CompletionQueue completions = peer.device().createCompletionQueue(32, null);
        peer.destroyed().thenRun(() -> close(region, completions, domain));
        peer.createQueuePair(domain, QueuePairConfiguration.reliable(completions));
        ByteBuffer where =
                ByteBuffer.allocate(12).putLong(region.remoteAddress()).putInt(region.remoteKey());
        peer.accept(ConnectionParameters.defaults().withPrivateData(where.flip()));
    }

    private static void close(VerbsObject... objects) {
        for (VerbsObject object : objects) {
            try {
                object.close();
            } catch (RdmaException e) {
                System.err.println(e.getMessage());
            }
        }
    }
}
