package org.verbena.rdma.provider.loopback.fake;

import java.util.ArrayDeque;
import java.util.Deque;
import org.verbena.rdma.cm.ConnectionParameters;
import org.verbena.rdma.spi.Endpoint;
import org.verbena.rdma.spi.EndpointUpcalls;
import org.verbena.rdma.spi.ListenerUpcalls;

/** Takes all requests of a listener, or none. Used by one thread at a time. */
public final class Requests implements ListenerUpcalls {
    /** A request that was taken. */
    public record Request(Endpoint endpoint, ConnectionParameters parameters, Events events) {}

    private final Deque<Request> taken = new ArrayDeque<>();
    private boolean takes = true;
    private int count;
    private int addressChanges;

    public void takes(boolean whether) {
        takes = whether;
    }

    /** How many there were. */
    public int count() {
        return count;
    }

    /** How often the listener has told of other hardware behind its address. */
    public int addressChanges() {
        return addressChanges;
    }

    /** The oldest that was taken. */
    public Request next() {
        return taken.remove();
    }

    @Override
    public EndpointUpcalls request(Endpoint endpoint, ConnectionParameters parameters) {
        count++;
        if (!takes) {
            return null;
        }
        Events events = new Events();
        taken.add(new Request(endpoint, parameters, events));
        return events;
    }

    @Override
    public void addressChanged() {
        addressChanges++;
    }
}
