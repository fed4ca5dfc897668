package org.verbena.rdma.provider.loopback.fake;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.cm.ConnectionParameters;
import org.verbena.rdma.cm.RejectReason;
import org.verbena.rdma.spi.EndpointUpcalls;

/** Records what a provider tells of an endpoint. */
public final class Events implements EndpointUpcalls {
    private final List<String> names = new CopyOnWriteArrayList<>();
    private volatile ConnectionParameters parameters;
    private volatile byte[] rejectData;

    /** What was told, in order. */
    public List<String> names() {
        return names;
    }

    /** The parameters that were told last. */
    public ConnectionParameters parameters() {
        return parameters;
    }

    /** The private data of a refusal. */
    public byte[] rejectData() {
        return rejectData;
    }

    public static String text(ByteBuffer data) {
        return StandardCharsets.US_ASCII.decode(data).toString();
    }

    @Override
    public void addressResolved(InetSocketAddress local) {
        names.add("addressResolved " + local.getPort());
    }

    @Override
    public void addressError(RdmaError error) {
        names.add("addressError " + error);
    }

    @Override
    public void routeResolved() {
        names.add("routeResolved");
    }

    @Override
    public void routeError(RdmaError error) {
        names.add("routeError " + error);
    }

    @Override
    public void connectResponse(ConnectionParameters told) {
        parameters = told;
        names.add("connectResponse");
    }

    @Override
    public void established(ConnectionParameters told) {
        parameters = told;
        names.add("established");
    }

    @Override
    public void connectError(RdmaError error) {
        names.add("connectError " + error);
    }

    @Override
    public void unreachable(RdmaError error) {
        names.add("unreachable " + error);
    }

    @Override
    public void rejected(RejectReason reason, ByteBuffer privateData) {
        byte[] copy = new byte[privateData.remaining()];
        privateData.get(copy);
        rejectData = copy;
        names.add("rejected " + reason);
    }

    @Override
    public void disconnected(RdmaError status) {
        names.add("disconnected " + status);
    }

    @Override
    public void addressChanged() {
        names.add("addressChanged");
    }

    @Override
    public void timewaitExit() {
        names.add("timewaitExit");
    }
}
