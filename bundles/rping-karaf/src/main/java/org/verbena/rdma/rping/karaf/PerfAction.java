package org.verbena.rdma.rping.karaf;

import java.io.PrintStream;
import java.util.List;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Reference;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.verbena.rdma.rping.Perf;

/** {@code rdma:perf}. */
@Service
@Command(
        scope = "rdma",
        name = "perf",
        description =
                "Measures how fast messages go there and back, and how much can be written: to a server, or without -s and -c between two ends in this JVM.")
public final class PerfAction extends ProgramAction {
    @Reference
    private Perf perf;

    @Option(name = "-s", aliases = "--server", description = "Be the server.")
    private boolean server;

    @Option(name = "-c", aliases = "--client", description = "Be the client.")
    private boolean client;

    @Option(
            name = "-a",
            aliases = "--address",
            description =
                    "Client: where the server is. Server: where to listen, all IPv4 addresses if not given. Both: on which device.")
    @Completion(DeviceAddresses.class)
    private String address;

    @Option(name = "-p", aliases = "--port", description = "The port of the server, 7175 if not given.")
    private Integer port;

    @Option(
            name = "-S",
            aliases = "--latency-size",
            description = "How long messages are that go there and back, 64 if not given; 0 for none.")
    private Integer latencySize;

    @Option(
            name = "-B",
            aliases = "--bandwidth-size",
            description = "How long writes are, 65536 if not given; 0 for none.")
    private Integer bandwidthSize;

    @Option(name = "-D", aliases = "--depth", description = "How many writes are under way at a time, 32 if not given.")
    private Integer depth;

    @Option(name = "-t", aliases = "--time", description = "For how many seconds each is measured, 3 if not given.")
    private Integer seconds;

    @Override
    int run(List<String> arguments, PrintStream out, PrintStream err) throws InterruptedException {
        return perf.run(arguments, out, err);
    }

    @Override
    void say() {
        flag("--server", server);
        flag("--client", client);
        option("--address", address);
        option("--port", port);
        option("--latency-size", latencySize);
        option("--bandwidth-size", bandwidthSize);
        option("--depth", depth);
        option("--time", seconds);
    }
}
