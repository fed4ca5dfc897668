package org.verbena.rdma.core.cm;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

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

    /** The address book has changed. On a core thread. */
    public void follow() {
        listeners.forEach(AddressListening::follow);
    }
}
