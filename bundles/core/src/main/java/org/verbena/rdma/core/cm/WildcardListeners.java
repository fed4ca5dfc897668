package org.verbena.rdma.core.cm;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

/** The listeners on wildcards, which follow devices. The set is concurrent. */
public final class WildcardListeners {
    private final Set<AddressListening> listeners = ConcurrentHashMap.newKeySet();

    /** Makes an empty set. */
    public WildcardListeners() {}

    void add(AddressListening listening) {
        listeners.add(listening);
    }

    void remove(AddressListening listening) {
        listeners.remove(listening);
    }

    /** The address book has changed. On a core thread; returns when all listen again, or a provider has taken too long. */
    public void follow() {
        Map<AddressListening, CountDownLatch> opening = new HashMap<>();
        listeners.forEach(listener -> opening.put(listener, listener.follow()));
        opening.forEach(AddressListening::awaitOpened);
    }
}
