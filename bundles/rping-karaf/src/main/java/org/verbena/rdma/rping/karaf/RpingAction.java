package org.verbena.rdma.rping.karaf;

import java.io.PrintStream;
import java.util.List;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Reference;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.verbena.rdma.rping.Rping;

/** {@code rdma:rping}. */
@Service
@Command(
        scope = "rdma",
        name = "rping",
        description = "Pings over RDMA: the client offers a buffer, the server reads it and writes it back.")
public final class RpingAction extends ProgramAction {
    @Reference
    private Rping rping;

    @Option(name = "-s", aliases = "--server", description = "Be the server.")
    private boolean server;

    @Option(name = "-c", aliases = "--client", description = "Be the client; with -s of a server in the same process.")
    private boolean client;

    @Option(
            name = "-a",
            aliases = "--address",
            description =
                    "Client: where the server is. Server: where to listen, all IPv4 addresses if not given; -a ::0 for all.")
    @Completion(DeviceAddresses.class)
    private String address;

    @Option(
            name = "-p",
            aliases = "--port",
            description =
                    "The port of the server, 7174 if not given, with -s -c a free one. A server takes a free one for 0.")
    private Integer port;

    @Option(name = "-I", aliases = "--source", description = "Client: the local address to come from.")
    @Completion(DeviceAddresses.class)
    private String source;

    @Option(
            name = "-C",
            aliases = "--count",
            description = "How many pings to send, or to answer to each client; 0 or not given: without end.")
    private Integer count;

    @Option(
            name = "-S",
            aliases = "--size",
            description = "Client: how long a ping is, in bytes. Server: the longest that it takes.")
    private Integer size;

    @Option(name = "-v", aliases = "--print-data", description = "Print what each ping carries.")
    private boolean printData;

    @Option(name = "-V", aliases = "--verify", description = "Client: check that each ping comes back as it was sent.")
    private boolean verify;

    @Option(name = "-d", aliases = "--debug", description = "Print each step.")
    private boolean debug;

    @Option(name = "-P", aliases = "--persistent", description = "Server: serve many clients, until stopped.")
    private boolean persistent;

    @Option(
            name = "-q",
            aliases = "--late-queue-pair",
            description = "Client: make the queue pair when the server has answered, not before.")
    private boolean lateQueuePair;

    @Override
    int run(List<String> arguments, PrintStream out, PrintStream err) throws InterruptedException {
        return rping.run(arguments, out, err);
    }

    @Override
    void say() {
        flag("--server", server);
        flag("--client", client);
        option("--address", address);
        option("--port", port);
        option("--source", source);
        option("--count", count);
        option("--size", size);
        flag("--print-data", printData);
        flag("--verify", verify);
        flag("--debug", debug);
        flag("--persistent", persistent);
        flag("--late-queue-pair", lateQueuePair);
    }
}
