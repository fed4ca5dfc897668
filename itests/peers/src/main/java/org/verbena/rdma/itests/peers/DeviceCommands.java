// SPDX-License-Identifier: Apache-2.0
package org.verbena.rdma.itests.peers;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Dictionary;
import java.util.Hashtable;
import java.util.List;
import org.apache.felix.service.command.Process;
import org.osgi.service.cm.ConfigurationAdmin;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceScope;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.cm.ConnectionManager;
import picocli.CommandLine.Option;

/** What is for devices of the kernel alone, most of it for such as are pulled by someone, as Gogo commands. */
@Component(
        service = DeviceCommands.class,
        immediate = true,
        property = {
            "osgi.command.scope=rdma",
            "osgi.command.function=pulled",
            "osgi.command.function=blackhole",
            "osgi.command.function=deadline",
            "osgi.command.function=cost"
        })
public final class DeviceCommands {
    private final ConnectionManager connectionManager;
    private final ConfigurationAdmin configurations;

    @Activate
    public DeviceCommands(
            @Reference(scope = ReferenceScope.PROTOTYPE_REQUIRED) ConnectionManager connectionManager,
            @Reference ConfigurationAdmin configurations) {
        this.connectionManager = connectionManager;
        this.configurations = configurations;
    }

    /** Traffic on devices that are pulled. */
    public void pulled(String[] words) {
        PulledOptions options = new PulledOptions();
        CommandRun.run("pulled", words, options, () -> new PulledDevices(
                        connectionManager, Process.Utils.current().out(), options.behaviors)
                .run(options.addresses, options.port, options.rounds));
    }

    /** Connects to where nobody is. */
    public void blackhole(String[] words) {
        BlackHoleOptions options = new BlackHoleOptions();
        CommandRun.run("blackhole", words, options, () -> new BlackHole(
                        connectionManager, Process.Utils.current().out())
                .run(
                        new InetSocketAddress(options.own, options.port),
                        new InetSocketAddress(options.nobody, options.port)));
    }

    /** Sets how long consumers have to let go of a device. */
    public void deadline(long milliseconds) throws IOException {
        Dictionary<String, Object> properties = new Hashtable<>();
        properties.put("removal.deadline.ms", milliseconds);
        configurations.getConfiguration("org.verbena.rdma.core", "?").update(properties);
    }

    /** Compares with DiSNI. */
    public void cost(String[] words) {
        CostOptions options = new CostOptions();
        CommandRun.run("cost", words, options, () -> {
            try {
                new Cost(
                                connectionManager,
                                Process.Utils.current().out(),
                                new InetSocketAddress(options.address, options.port))
                        .run(options.pings);
            } catch (RdmaException e) {
                throw e;
            } catch (IOException e) {
                throw new PeerFailedException(String.valueOf(e.getMessage()));
            }
        });
    }

    private static final class PulledOptions extends CommandRun.Options {
        @Option(names = "-a", required = true, split = ",", description = "The addresses of the devices.")
        private List<String> addresses;

        @Option(names = "-p", description = "Where to listen, ${DEFAULT-VALUE} if not given.")
        private int port = 7471;

        @Option(names = "-n", description = "How often each device will be pulled, ${DEFAULT-VALUE} if not given.")
        private int rounds = 1;

        @Option(names = "-k", split = ",", description = "What consumers there are: ${COMPLETION-CANDIDATES}.")
        private List<Behavior> behaviors = List.of(Behavior.values());
    }

    private static final class BlackHoleOptions extends CommandRun.Options {
        @Option(names = "-b", required = true, description = "The address of the device that will be pulled.")
        private String own;

        @Option(names = "-s", required = true, description = "An address where nobody is.")
        private String nobody;

        @Option(names = "-p", description = "The port, ${DEFAULT-VALUE} if not given.")
        private int port = 7471;
    }

    private static final class CostOptions extends CommandRun.Options {
        @Option(names = "-a", required = true, description = "The address of the device.")
        private String address;

        @Option(names = "-p", description = "The port, ${DEFAULT-VALUE} if not given.")
        private int port = 7571;

        @Option(names = "-C", description = "How many pings each turn has.")
        private int pings = 500;
    }
}
