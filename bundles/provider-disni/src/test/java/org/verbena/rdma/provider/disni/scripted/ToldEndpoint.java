package org.verbena.rdma.provider.disni.scripted;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.cm.ConnectionParameters;
import org.verbena.rdma.cm.RejectReason;
import org.verbena.rdma.spi.EndpointUpcalls;

/** What an endpoint tells, one line each. */
public final class ToldEndpoint implements EndpointUpcalls {
    private final BlockingQueue<String> told = new LinkedBlockingQueue<>();
    private volatile Runnable during = () -> {};

    /** Runs something inside of each upcall from now on. */
    public void during(Runnable action) {
        during = action;
    }

    /** Takes the next line, or says that nothing came. */
    public String next() throws InterruptedException {
        String line = told.poll(10, TimeUnit.SECONDS);
        return line == null ? "nothing came" : line;
    }

    public boolean isQuiet() {
        return told.isEmpty();
    }

    private void tell(String line) {
        // Before the line can be taken: what a test sets after that is for the next one.
        Runnable action = during;
        told.add(line);
        action.run();
    }

    private static String text(ByteBuffer data) {
        return StandardCharsets.UTF_8.decode(data.duplicate()).toString();
    }

    private static String text(ConnectionParameters parameters) {
        return parameters.responderResources() + "/" + parameters.initiatorDepth() + " "
                + text(parameters.privateData());
    }

    @Override
    public void addressResolved(InetSocketAddress local) {
        tell("addressResolved " + local);
    }

    @Override
    public void addressError(RdmaError error) {
        tell("addressError " + error);
    }

    @Override
    public void routeResolved() {
        tell("routeResolved");
    }

    @Override
    public void routeError(RdmaError error) {
        tell("routeError " + error);
    }

    @Override
    public void connectResponse(ConnectionParameters parameters) {
        tell("connectResponse " + text(parameters));
    }

    @Override
    public void established(ConnectionParameters parameters) {
        tell("established " + text(parameters));
    }

    @Override
    public void connectError(RdmaError error) {
        tell("connectError " + error);
    }

    @Override
    public void unreachable(RdmaError error) {
        tell("unreachable " + error);
    }

    @Override
    public void rejected(RejectReason reason, ByteBuffer privateData) {
        tell("rejected " + reason + " " + text(privateData));
    }

    @Override
    public void disconnected(RdmaError status) {
        tell("disconnected " + status);
    }

    @Override
    public void addressChanged() {
        tell("addressChanged");
    }

    @Override
    public void timewaitExit() {
        tell("timewaitExit");
    }
}
