package org.verbena.rdma.provider.iwarp.peer;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.cm.ConnectionParameters;
import org.verbena.rdma.cm.RejectReason;
import org.verbena.rdma.spi.EndpointUpcalls;

/** The upcalls of an endpoint, in the order in which they came. */
public final class Events implements EndpointUpcalls {
    /** One upcall; what it does not carry is {@code null}. */
    public record Event(
            String name, RdmaError error, ConnectionParameters parameters, RejectReason reason, byte[] data) {
        @Override
        public String toString() {
            return name + (error == null ? "" : " " + error) + (reason == null ? "" : " " + reason);
        }
    }

    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();

    /** Waits for the next upcall. */
    public Event next() throws InterruptedException {
        return next(20_000);
    }

    public Event next(long millis) throws InterruptedException {
        Event event = events.poll(millis, TimeUnit.MILLISECONDS);
        if (event == null) {
            throw new AssertionError("no upcall has come");
        }
        return event;
    }

    public Event next(String name) throws InterruptedException {
        Event event = next();
        if (!event.name().equals(name)) {
            throw new AssertionError("expected " + name + " but got " + event);
        }
        return event;
    }

    public boolean isEmpty() {
        return events.isEmpty();
    }

    private void add(String name, RdmaError error, ConnectionParameters parameters, RejectReason reason, byte[] data) {
        events.add(new Event(name, error, parameters, reason, data));
    }

    private static byte[] bytes(ByteBuffer data) {
        byte[] bytes = new byte[data.remaining()];
        data.duplicate().get(bytes);
        return bytes;
    }

    @Override
    public void addressResolved(InetSocketAddress local) {
        add("addressResolved", null, null, null, null);
    }

    @Override
    public void addressError(RdmaError error) {
        add("addressError", error, null, null, null);
    }

    @Override
    public void routeResolved() {
        add("routeResolved", null, null, null, null);
    }

    @Override
    public void routeError(RdmaError error) {
        add("routeError", error, null, null, null);
    }

    @Override
    public void connectResponse(ConnectionParameters parameters) {
        add("connectResponse", null, parameters, null, bytes(parameters.privateData()));
    }

    @Override
    public void established(ConnectionParameters parameters) {
        add("established", null, parameters, null, bytes(parameters.privateData()));
    }

    @Override
    public void connectError(RdmaError error) {
        add("connectError", error, null, null, null);
    }

    @Override
    public void unreachable(RdmaError error) {
        add("unreachable", error, null, null, null);
    }

    @Override
    public void rejected(RejectReason reason, ByteBuffer privateData) {
        add("rejected", null, null, reason, bytes(privateData));
    }

    @Override
    public void disconnected(RdmaError status) {
        add("disconnected", status, null, null, null);
    }

    @Override
    public void addressChanged() {
        add("addressChanged", null, null, null, null);
    }

    @Override
    public void timewaitExit() {
        add("timewaitExit", null, null, null, null);
    }
}
