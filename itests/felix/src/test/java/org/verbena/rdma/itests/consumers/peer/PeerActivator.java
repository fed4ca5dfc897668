// SPDX-License-Identifier: Apache-2.0
package org.verbena.rdma.itests.consumers.peer;

import java.util.Dictionary;
import java.util.Hashtable;
import java.util.function.BiFunction;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceReference;
import org.verbena.rdma.cm.ConnectionManager;

/** Starts a {@link Peer} with the connection manager of its bundle. What it has made is taken back by the framework. */
public final class PeerActivator implements BundleActivator {
    @Override
    public void start(BundleContext context) {
        ServiceReference<ConnectionManager> reference = context.getServiceReference(ConnectionManager.class);
        Peer peer = new Peer(context.getService(reference));
        Dictionary<String, Object> properties = new Hashtable<>();
        properties.put("peer", context.getBundle().getSymbolicName());
        context.registerService(BiFunction.class, peer, properties);
    }

    @Override
    public void stop(BundleContext context) {}
}
