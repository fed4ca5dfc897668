// SPDX-License-Identifier: Apache-2.0
package org.verbena.rdma.itests.peers;

import java.net.InetSocketAddress;
import org.apache.felix.service.command.Process;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceScope;
import org.verbena.rdma.cm.ConnectionManager;
import picocli.CommandLine.Option;

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
        Arguments arguments = new Arguments();
        CommandRun.run("transfer", words, arguments, () -> {
            Transfer transfer = new Transfer(
                    connectionManager, Process.Utils.current().out(), arguments.polls, arguments.trespasses);
            if (arguments.server == null) {
                transfer.serve(arguments.own());
            } else {
                transfer.connect(arguments.server());
            }
        });
    }

    private void exchange(String name, Program program, String[] words) {
        Arguments arguments = new Arguments();
        CommandRun.run(name, words, arguments, () -> {
            Exchange exchange = new Exchange(
                    connectionManager,
                    Process.Utils.current().out(),
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

    /** The letters of the C programs. */
    private static final class Arguments extends CommandRun.Options {
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

        @Option(names = "--poll", description = "Poll without pause. For transfer only.")
        private boolean polls;

        @Option(names = "--trespass", description = "Client: in the end, write where it may not. For transfer only.")
        private boolean trespasses;

        InetSocketAddress own() {
            return new InetSocketAddress(local, port);
        }

        InetSocketAddress server() {
            return new InetSocketAddress(server, port);
        }
    }
}
