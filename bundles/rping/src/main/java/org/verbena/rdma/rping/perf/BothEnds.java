package org.verbena.rdma.rping.perf;

import java.net.InetSocketAddress;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.cm.ConnectionManager;
import org.verbena.rdma.rping.run.Console;
import org.verbena.rdma.rping.run.Run;
import org.verbena.rdma.rping.wire.PingFailedException;

/** Measures between a server and a client of its own, on one address, at a free port. */
public final class BothEnds implements Run {
    private final ConnectionManager connectionManager;
    private final PerfSettings settings;
    private final Console console;
    private volatile PerfClient client;
    private volatile boolean stopped;

    /**
     * Makes both ends.
     *
     * @param connectionManager makes their ids
     * @param settings the address, with port 0, and what to measure
     * @param console where to print to
     */
    public BothEnds(ConnectionManager connectionManager, PerfSettings settings, Console console) {
        this.connectionManager = connectionManager;
        this.settings = settings;
        this.console = console;
    }

    @Override
    public int run() throws RdmaException, InterruptedException, PingFailedException {
        PerfServer server = new PerfServer(connectionManager, settings, console);
        try {
            InetSocketAddress address = new InetSocketAddress(settings.server().getAddress(), server.listen());
            client = new PerfClient(
                    connectionManager,
                    new PerfSettings(
                            address,
                            settings.latencySize(),
                            settings.bandwidthSize(),
                            settings.depth(),
                            settings.time()),
                    console);
            if (stopped) {
                client.stop();
            }
            return client.run();
        } finally {
            server.end();
        }
    }

    @Override
    public void stop() {
        stopped = true;
        PerfClient made = client;
        if (made != null) {
            made.stop();
        }
    }
}
