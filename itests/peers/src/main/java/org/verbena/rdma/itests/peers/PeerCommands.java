// SPDX-License-Identifier: Apache-2.0
package org.verbena.rdma.itests.peers;

import java.io.PrintWriter;
import java.net.InetSocketAddress;
import org.apache.felix.service.command.Process;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceScope;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.cm.ConnectionManager;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The programs as Gogo commands, with the letters of the C programs; the client is the one that has -s. */
@Component(
        service = PeerCommands.class,
        immediate = true,
        property = {
            "osgi.command.scope=rdma",
            "osgi.command.function=ucmatose",
            "osgi.command.function=example",
            "osgi.command.function=cmtime",
            "osgi.command.function=transfer"
        })
public final class PeerCommands {
    private final ConnectionManager connectionManager;

    @Activate
    public PeerCommands(@Reference(scope = ReferenceScope.PROTOTYPE_REQUIRED) ConnectionManager connectionManager) {
        this.connectionManager = connectionManager;
    }

    /** The other end of {@code ucmatose}. */
    public void ucmatose(String[] words) {
        exchange("ucmatose", Program.UCMATOSE, words);
    }

    /** The other end of {@code rdma_client} or {@code rdma_server}. */
    public void example(String[] words) {
        exchange("example", Program.EXAMPLE, words);
    }

    /** The other end of {@code cmtime}. */
    public void cmtime(String[] words) {
        exchange("cmtime", Program.CMTIME, words);
    }

    /** Verified transfers of many sizes; both ends are this command. */
    public void transfer(String[] words) {
        run("transfer", words, arguments -> {
            Transfer transfer =
                    new Transfer(connectionManager, Process.Utils.current().out());
            if (arguments.server == null) {
                transfer.serve(arguments.own());
            } else {
                transfer.connect(arguments.server());
            }
        });
    }

    private void exchange(String name, Program program, String[] words) {
        run(name, words, arguments -> {
            Exchange exchange = new Exchange(
                    connectionManager,
                    program,
                    arguments.connections,
                    arguments.messages == null ? program.messages() : arguments.messages,
                    arguments.size == null ? program.size() : arguments.size);
            if (arguments.server == null) {
                exchange.serve(arguments.own());
            } else {
                exchange.connect(arguments.server());
            }
        });
    }

    private interface Run {
        void run(Arguments arguments) throws RdmaException, PeerFailedException, InterruptedException;
    }

    private static void run(String name, String[] words, Run program) {
        Process process = Process.Utils.current();
        Arguments arguments = new Arguments();
        CommandLine commandLine = new CommandLine(arguments).setCommandName(name);
        try {
            commandLine.parseArgs(words);
            if (commandLine.isUsageHelpRequested()) {
                commandLine.usage(new PrintWriter(process.out(), true));
                return;
            }
            program.run(arguments);
            process.out().println(name + ": passed");
        } catch (ParameterException e) {
            process.err().println(name + ": " + e.getMessage());
            process.error(2);
        } catch (RdmaException | PeerFailedException e) {
            process.err().println(name + ": " + e.getMessage());
            process.error(1);
        } catch (InterruptedException e) {
            process.error(130);
        }
    }

    /** The letters of the C programs. */
    private static final class Arguments {
        private static final int DEFAULT_PORT = 7471;

        @Option(names = "-s", paramLabel = "ADDRESS", description = "Client: where the server is.")
        private String server;

        @Option(names = "-b", paramLabel = "ADDRESS", description = "Server: where to listen.")
        private String local = "0.0.0.0";

        @Option(names = "-p", paramLabel = "PORT", description = "The server's port, ${DEFAULT-VALUE} if not given.")
        private int port = DEFAULT_PORT;

        @Option(names = "-c", paramLabel = "COUNT", description = "How many connections, 1 if not given.")
        private int connections = 1;

        @Option(names = "-C", paramLabel = "COUNT", description = "How many messages go each way on each.")
        private Integer messages;

        @Option(names = "-S", paramLabel = "BYTES", description = "How long a message is.")
        private Integer size;

        @Option(
                names = {"-h", "--help"},
                usageHelp = true,
                description = "Print this.")
        private boolean help;

        InetSocketAddress own() {
            return new InetSocketAddress(local, port);
        }

        InetSocketAddress server() {
            return new InetSocketAddress(server, port);
        }
    }
}
