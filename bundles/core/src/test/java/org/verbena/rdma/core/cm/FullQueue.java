package org.verbena.rdma.core.cm;

import java.util.concurrent.atomic.AtomicReference;
import org.verbena.rdma.cm.EventHandler.Verdict;
import org.verbena.rdma.cm.PortSpace;
import org.verbena.rdma.core.Core;
import org.verbena.rdma.core.CoreConfiguration;
import org.verbena.rdma.core.scripted.Unpublished;
import org.verbena.rdma.core.session.CmVersion;
import org.verbena.rdma.core.session.Session;

/** A program for a JVM of its own, with a small heap: requests come to a listener until there is no room for one more. */
final class FullQueue {
    /** What is given back when there is no room, so that the end can be told. */
    private static final int RESERVE_BYTES = 1 << 20;

    private FullQueue() {}

    public static void main(String[] none) throws Exception {
        Core core = new Core(CoreConfiguration.DEFAULTS, new Unpublished(), destination -> null);
        Session session = core.openSession("consumer", -1, CmVersion.CURRENT);
        ConnectionId id = ConnectionId.create(
                ((SessionConnectionManager) core.connectionManager(session)).surroundings(),
                session,
                PortSpace.TCP,
                null,
                event -> Verdict.KEEP);
        IdState listener = id.idState();
        listener.setBacklog(Integer.MAX_VALUE);
        AtomicReference<byte[]> reserve = new AtomicReference<>(new byte[RESERVE_BYTES]);
        int offered = 0;
        int kept = 0;
        try {
            while (listener.offer(id)) {
                offered++;
            }
        } catch (OutOfMemoryError full) {
            kept = listener.requestCount();
            reserve.set(null);
            listener.setBacklog(0);
        }
        System.out.println("offered " + offered + ", kept " + kept);
        System.exit(offered > 0 && kept == offered ? 0 : 1);
    }
}
