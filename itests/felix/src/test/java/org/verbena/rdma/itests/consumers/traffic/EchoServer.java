// SPDX-License-Identifier: Apache-2.0
package org.verbena.rdma.itests.consumers.traffic;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
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
import org.verbena.rdma.cm.ConnectionParameters;
import org.verbena.rdma.cm.EventHandler.Verdict;
import org.verbena.rdma.cm.PortSpace;

/** Listens on the wildcard, and answers pings on whatever device they come by. */
@Component(
        immediate = true,
        service = {})
public final class EchoServer {
    private final Ledger ledger;
    private final CmId listener;
    private final Set<Thread> workers = ConcurrentHashMap.newKeySet();

    @Activate
    public EchoServer(
            @Reference(scope = ReferenceScope.PROTOTYPE_REQUIRED) ConnectionManager connectionManager,
            @Reference(target = "(ledger=traffic)") Map.Entry<Map<String, Object>, Consumer<String>> entries)
            throws RdmaException {
        ledger = new Ledger(entries.getValue());
        listener = connectionManager.createId(PortSpace.TCP, this::onListenerEvent);
        listener.bindAddress(
                new InetSocketAddress("0.0.0.0", (int) entries.getKey().get("port")));
        listener.listen(0);
        ledger.count("listening");
    }

    @Deactivate
    void stop() {
        listener.destroy();
        workers.forEach(Thread::interrupt);
    }

    private Verdict onListenerEvent(CmEvent event) {
        if (event.type() != CmEventType.CONNECT_REQUEST) {
            // A wildcard listener outlives its devices: its owner is told nothing of them.
            ledger.problem("the listener is told " + event.type());
            return Verdict.KEEP;
        }
        CmId child = event.id();
        try {
            Link link = new Link(child);
            child.destroyed().thenRun(link::close);
            child.handler(WatchedHandler.child(next -> onChildEvent(next, link), ledger));
            child.accept(ConnectionParameters.defaults());
            return Verdict.KEEP;
        } catch (RdmaException gone) {
            ledger.count("requests that were gone");
            return Verdict.DESTROY;
        }
    }

    private Verdict onChildEvent(CmEvent event, Link link) {
        if (event.type() == CmEventType.ESTABLISHED) {
            Thread worker = new Thread(() -> serve(link), "echo server");
            workers.add(worker);
            worker.start();
        }
        return event.type() == CmEventType.ESTABLISHED || event.type() == CmEventType.ADDR_CHANGE
                ? Verdict.KEEP
                : Verdict.DESTROY;
    }

    private void serve(Link link) {
        try {
            while (true) {
                if (!link.answer()) {
                    ledger.problem("the server has found other data than was sent");
                }
                ledger.count("pings answered");
            }
        } catch (IOException | IllegalStateException ended) {
            ledger.count("connections ended");
        } catch (RuntimeException unexpected) {
            ledger.problem("server: " + unexpected);
        } finally {
            workers.remove(Thread.currentThread());
        }
    }
}
