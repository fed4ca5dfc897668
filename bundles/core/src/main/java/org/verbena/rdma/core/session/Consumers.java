package org.verbena.rdma.core.session;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.verbena.rdma.core.dispatch.Dispatcher;

/**
 * The bundles that have sessions. A consumer is there while it has a session.
 *
 * <p>Guarded by this object's monitor; nothing but the dispatcher's bookkeeping is called under it.
 */
public final class Consumers {
    private final Dispatcher dispatcher;
    private final Map<Key, Consumer> consumers = new HashMap<>();

    private record Key(String name, long bundleId, CmVersion version) {}

    /**
     * Makes an empty set.
     *
     * @param dispatcher gives each its lane
     */
    public Consumers(Dispatcher dispatcher) {
        this.dispatcher = dispatcher;
    }

    /**
     * Opens a session.
     *
     * @param name the symbolic name of the bundle
     * @param bundleId the number of the bundle
     * @param version what it was built against
     * @return a new session
     */
    public synchronized Session openSession(String name, long bundleId, CmVersion version) {
        Consumer consumer = consumers.computeIfAbsent(
                new Key(name, bundleId, version), key -> new Consumer(name, bundleId, version, dispatcher.lane(name)));
        return new Session(consumer);
    }

    /**
     * Forgets a session that has ended, and its consumer with the last one.
     *
     * @param session the session
     */
    public synchronized void closeSession(Session session) {
        Consumer consumer = session.consumer();
        consumer.sessions().remove(session);
        if (consumer.sessions().isEmpty()
                && consumers.remove(new Key(consumer.name(), consumer.bundleId(), consumer.version()), consumer)) {
            dispatcher.drop(consumer.lane());
        }
    }

    /**
     * Returns the bundles that have sessions.
     *
     * @return a copy
     */
    public synchronized Collection<Consumer> all() {
        return new ArrayList<>(consumers.values());
    }
}
