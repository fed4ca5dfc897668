package org.verbena.rdma.rping.command;

import org.verbena.rdma.rping.run.Settings;
import org.verbena.rdma.rping.run.Settings.Role;
import org.verbena.rdma.rping.wire.PingData;
import org.verbena.rdma.rping.wire.PingFailedException;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command line, with the letters of the C program. */
@Command(
        name = "rping",
        sortOptions = false,
        usageHelpAutoWidth = true,
        description = {
            "Pings over RDMA: the client offers a buffer, the server reads it and writes it back.",
            "Talks to the C program rping of rdma-core too.%n"
        },
        footer = {
            "%nThe exit status is 0 if all went well, 1 if not, 2 if the arguments make no sense.",
            "%nExamples:%n  rping -s -P%n  rping -c -a 127.0.0.1 -C 10 -v -V%n  rping -s -c -a 127.0.0.1 -C 10 -v -V"
        })
final class Arguments {
    @ArgGroup(exclusive = false, multiplicity = "1")
    private Ends ends;

    @Option(
            names = {"-a", "--address"},
            paramLabel = "ADDRESS",
            description = "Client: where the server is. Server: where to listen, all IPv4 addresses if not"
                    + " given; -a ::0 for all IPv6 and IPv4 addresses.")
    private String address;

    @Option(
            names = {"-p", "--port"},
            paramLabel = "PORT",
            description = "The port of the server, " + Settings.DEFAULT_PORT + " if not given, with -s -c a free one. A"
                    + " server takes a free one for 0.")
    private Integer port;

    @Option(
            names = {"-I", "--source"},
            paramLabel = "ADDRESS",
            description = "Client: the local address to come from.")
    private String source;

    @Option(
            names = {"-C", "--count"},
            paramLabel = "COUNT",
            description = "How many pings to send, or to answer to each client; 0 or not given: without end.")
    private int count;

    @Option(
            names = {"-S", "--size"},
            paramLabel = "BYTES",
            description = "Client: how long a ping is, " + PingData.MIN_SIZE + " to " + PingData.MAX_SIZE + ", "
                    + PingData.DEFAULT_SIZE + " if not given. Server: the longest that it takes, "
                    + PingData.MAX_SIZE + " if not given.")
    private Integer size;

    @Option(
            names = {"-v", "--print-data"},
            description = "Print what each ping carries.")
    private boolean printData;

    @Option(
            names = {"-V", "--verify"},
            description = "Client: check that each ping comes back as it was sent.")
    private boolean verify;

    @Option(
            names = {"-d", "--debug"},
            description = "Print each step.")
    private boolean debug;

    @Option(
            names = {"-P", "--persistent"},
            description = "Server: serve many clients, until stopped. Goes on when its device comes back.")
    private boolean persistent;

    @Option(
            names = {"-q", "--late-queue-pair"},
            description = "Client: make the queue pair when the server has answered, not before.")
    private boolean lateQueuePair;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Print this.")
    private boolean help;

    /** One of them, or both. */
    private static final class Ends {
        @Option(
                names = {"-s", "--server"},
                description = "Be the server.")
        private boolean server;

        @Option(
                names = {"-c", "--client"},
                description = "Be the client; with -s of a server in the same process.")
        private boolean client;
    }

    Settings settings() throws PingFailedException {
        Role role = ends.client ? ends.server ? Role.BOTH : Role.CLIENT : Role.SERVER;
        int greatest = role == Role.SERVER ? PingData.MAX_SIZE : PingData.DEFAULT_SIZE;
        return new Settings(
                        role,
                        address,
                        source,
                        port == null ? role == Role.BOTH ? 0 : Settings.DEFAULT_PORT : port,
                        count,
                        size == null ? greatest : size,
                        printData,
                        verify,
                        debug,
                        persistent,
                        lateQueuePair)
                .check();
    }
}
