package org.verbena.rdma.rping.command;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
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
import org.verbena.rdma.rping.Perf;
import org.verbena.rdma.rping.perf.PerfClient;
import org.verbena.rdma.rping.perf.PerfServer;
import org.verbena.rdma.rping.perf.PerfSettings;
import org.verbena.rdma.rping.run.BothEnds;
import org.verbena.rdma.rping.run.Console;
import org.verbena.rdma.rping.run.Run;
import org.verbena.rdma.rping.wire.PingFailedException;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** The component: a session with core of its own, and what runs on it. */
@Component(immediate = true)
public final class PerfCommand implements Perf {
    private static final int FAILED = 1;
    private static final int MISUSED = 2;

    /** Below the 5 s for which Declarative Services would wait. */
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private final ConnectionManager connectionManager;
    private final List<RdmaDevice> devices = new CopyOnWriteArrayList<>();
    private final Runs runs = new Runs(PATIENCE);

    /** Made by Declarative Services. */
    @Activate
    public PerfCommand(@Reference(scope = ReferenceScope.PROTOTYPE_REQUIRED) ConnectionManager connectionManager) {
        this.connectionManager = connectionManager;
    }

    @Deactivate
    void deactivate() {
        runs.end();
    }

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    void bindDevice(RdmaDevice device) {
        devices.add(device);
    }

    void unbindDevice(RdmaDevice device) {
        devices.remove(device);
    }

    @Override
    public int run(List<String> arguments, PrintStream out, PrintStream err) throws InterruptedException {
        PerfArguments parsed = new PerfArguments();
        CommandLine commandLine = new CommandLine(parsed);
        Console console = new Console("perf", out, err, false);
        try {
            commandLine.parseArgs(arguments.toArray(String[]::new));
        } catch (ParameterException e) {
            console.error(e.getMessage() + "; perf --help tells what there is");
            return MISUSED;
        }
        if (commandLine.isUsageHelpRequested()) {
            commandLine.usage(new PrintWriter(out, true));
            return 0;
        }
        try {
            return runs.run(runFor(parsed, console));
        } catch (PingFailedException e) {
            return failed(e, console);
        } catch (ExecutionException e) {
            return failed(e.getCause(), console);
        }
    }

    private Run runFor(PerfArguments parsed, Console console) throws PingFailedException {
        List<InetAddress> addresses =
                devices.stream().flatMap(device -> device.addresses().stream()).toList();
        PerfSettings settings = parsed.settings(addresses);
        if (parsed.isServer()) {
            return new PerfServer(connectionManager, settings, console);
        }
        return parsed.isClient()
                ? new PerfClient(connectionManager, settings, console)
                : new BothEnds(
                        new PerfServer(connectionManager, settings, console),
                        port -> new PerfClient(connectionManager, settings.at(port), console));
    }

    private static int failed(Throwable failure, Console console) {
        boolean expected = failure instanceof PingFailedException || failure instanceof RdmaException;
        console.error(expected ? failure.getMessage() : "it broke: " + failure);
        return FAILED;
    }
}
