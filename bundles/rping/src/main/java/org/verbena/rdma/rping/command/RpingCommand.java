package org.verbena.rdma.rping.command;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.osgi.framework.ServiceReference;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferenceScope;
import org.verbena.rdma.RdmaDevice;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.cm.ConnectionManager;
import org.verbena.rdma.rping.Rping;
import org.verbena.rdma.rping.client.Client;
import org.verbena.rdma.rping.run.BothEnds;
import org.verbena.rdma.rping.run.Console;
import org.verbena.rdma.rping.run.Run;
import org.verbena.rdma.rping.run.Settings;
import org.verbena.rdma.rping.server.DeviceArrivals;
import org.verbena.rdma.rping.server.Server;
import org.verbena.rdma.rping.wire.PingFailedException;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/**
 * The component: the session with core, which ends with it, and what runs on it.
 *
 * <p>It is immediate, as all that is made through the connection manager goes when the component does.
 */
@Component(immediate = true)
public final class RpingCommand implements Rping {
    private static final int FAILED = 1;
    private static final int MISUSED = 2;

    /** Below the 5 s for which Declarative Services would wait. */
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private final ConnectionManager connectionManager;
    private final DeviceArrivals arrivals = new DeviceArrivals();
    private final Runs runs = new Runs(PATIENCE);

    @Activate
    public RpingCommand(@Reference(scope = ReferenceScope.PROTOTYPE_REQUIRED) ConnectionManager connectionManager) {
        this.connectionManager = connectionManager;
    }

    @Deactivate
    void deactivate() {
        runs.end();
    }

    @Reference(
            service = RdmaDevice.class,
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            updated = "updatedDevice")
    void bindDevice(ServiceReference<RdmaDevice> device) {
        arrivals.arrived();
    }

    void updatedDevice(ServiceReference<RdmaDevice> device) {
        // An address may have come to it.
        arrivals.arrived();
    }

    void unbindDevice(ServiceReference<RdmaDevice> device) {
        // Connections and listeners are told by their events.
    }

    @Override
    public int run(List<String> arguments, PrintStream out, PrintStream err) throws InterruptedException {
        Arguments parsed = new Arguments();
        CommandLine commandLine = new CommandLine(parsed);
        try {
            commandLine.parseArgs(arguments.toArray(String[]::new));
        } catch (ParameterException e) {
            new Console("rping", out, err, false).error(e.getMessage() + "; rping --help tells what there is");
            return MISUSED;
        }
        if (commandLine.isUsageHelpRequested()) {
            commandLine.usage(new PrintWriter(out, true));
            return 0;
        }
        try {
            Settings settings = parsed.settings();
            return runs.run(runFor(settings, new Console("rping", out, err, settings.debug())));
        } catch (PingFailedException e) {
            return failed(e, out, err);
        } catch (ExecutionException e) {
            return failed(e.getCause(), out, err);
        }
    }

    private Run runFor(Settings settings, Console console) {
        return switch (settings.role()) {
            case CLIENT -> new Client(connectionManager, settings, console);
            case SERVER -> new Server(connectionManager, arrivals, settings, console);
            case BOTH ->
                new BothEnds(
                        new Server(connectionManager, arrivals, settings.quiet(), console),
                        port -> new Client(connectionManager, settings.at(port), console));
        };
    }

    private static int failed(Throwable failure, PrintStream out, PrintStream err) {
        boolean expected = failure instanceof PingFailedException || failure instanceof RdmaException;
        new Console("rping", out, err, false).error(expected ? failure.getMessage() : "it broke: " + failure);
        return FAILED;
    }
}
