package org.verbena.rdma.rping.command;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import org.verbena.rdma.rping.perf.PerfSettings;
import org.verbena.rdma.rping.wire.PingFailedException;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command line of perf. */
@Command(
        name = "perf",
        sortOptions = false,
        usageHelpAutoWidth = true,
        description = {
            "Measures how fast messages go there and back, and how much can be written, between this end and a server,"
                    + " or, without -s and -c, between two ends in this JVM.%n"
        },
        footer = {
            "%nThe exit status is 0 if all went well, 1 if not, 2 if the arguments make no sense.",
            "%nExamples:%n  perf%n  perf -s%n  perf -c -a 10.0.0.1 -t 10"
        })
final class PerfArguments {
    @ArgGroup
    private Ends ends;

    @Option(
            names = {"-a", "--address"},
            paramLabel = "ADDRESS",
            description = "Client: where the server is. Server: where to listen, all IPv4 addresses if not given."
                    + " Both: on which device, the first one's if not given.")
    private String address;

    @Option(
            names = {"-p", "--port"},
            paramLabel = "PORT",
            description = "The port of the server, ${DEFAULT-VALUE} if not given.")
    private int port = PerfSettings.DEFAULT_PORT;

    @Option(
            names = {"-S", "--latency-size"},
            paramLabel = "BYTES",
            description = "How long messages are that go there and back, ${DEFAULT-VALUE} if not given; 0 for none.")
    private int latencySize = 64;

    @Option(
            names = {"-B", "--bandwidth-size"},
            paramLabel = "BYTES",
            description = "How long writes are, ${DEFAULT-VALUE} if not given; 0 for none.")
    private int bandwidthSize = 65_536;

    @Option(
            names = {"-D", "--depth"},
            paramLabel = "COUNT",
            description = "How many writes are under way at a time, ${DEFAULT-VALUE} if not given.")
    private int depth = 32;

    @Option(
            names = {"-t", "--time"},
            paramLabel = "SECONDS",
            description = "For how long each is measured, ${DEFAULT-VALUE} if not given.")
    private int seconds = 3;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Print this.")
    private boolean help;

    /** One of them, or neither. */
    private static final class Ends {
        @Option(
                names = {"-s", "--server"},
                required = true,
                description = "Be the server.")
        private boolean server;

        @Option(
                names = {"-c", "--client"},
                required = true,
                description = "Be the client.")
        private boolean client;
    }

    boolean isServer() {
        return ends != null && ends.server;
    }

    boolean isClient() {
        return ends != null && ends.client;
    }

    PerfSettings settings(List<InetAddress> ofDevices) throws PingFailedException {
        between("port", port, 0, 65_535);
        between("latency size", latencySize, 0, 1 << 26);
        between("bandwidth size", bandwidthSize, 0, 1 << 26);
        between("depth", depth, 1, 1_024);
        between("time", seconds, 1, 86_400);
        return new PerfSettings(server(ofDevices), latencySize, bandwidthSize, depth, Duration.ofSeconds(seconds));
    }

    private InetSocketAddress server(List<InetAddress> ofDevices) throws PingFailedException {
        if (isClient() && address == null) {
            throw new PingFailedException("a client needs the address of its server: -a ADDRESS");
        }
        if (isServer() || isClient()) {
            return new InetSocketAddress(resolve(address == null ? "0.0.0.0" : address), port);
        }
        if (address == null && ofDevices.isEmpty()) {
            throw new PingFailedException("there is no device with an address; rdma:doctor tells more");
        }
        return new InetSocketAddress(address == null ? ofDevices.get(0) : resolve(address), 0);
    }

    private static InetAddress resolve(String host) throws PingFailedException {
        try {
            return InetAddress.getByName(host);
        } catch (UnknownHostException e) {
            throw new PingFailedException("there is no host or address '" + host + "'");
        }
    }

    private static void between(String what, int value, int least, int greatest) throws PingFailedException {
        if (value < least || value > greatest) {
            throw new PingFailedException("the " + what + " must be " + least + " to " + greatest + ", not " + value);
        }
    }
}
