package org.verbena.rdma.shell.command;

import java.io.PrintStream;
import java.util.concurrent.Callable;
import org.verbena.rdma.monitor.DeviceSnapshot;
import org.verbena.rdma.monitor.Monitor;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code rdma:plug}. */
@Command(name = "plug", description = "Puts a device back that unplug has taken out.")
public final class Plug implements Callable<Integer> {
    private final Monitor monitor;
    private final PrintStream out;

    @Parameters(paramLabel = "NAME", description = "The name of the device.")
    private String name;

    @Mixin
    private HelpOption help;

    /**
     * Makes one use of the command.
     *
     * @param monitor what it works on
     * @param out where it prints to
     */
    public Plug(Monitor monitor, PrintStream out) {
        this.monitor = monitor;
        this.out = out;
    }

    @Override
    public Integer call() throws Exception {
        new Outcome(monitor.plug(name)).await();
        out.println("device " + name + " serves again" + where());
        return 0;
    }

    private String where() {
        return monitor.snapshot().devices().stream()
                .filter(device -> device.name().equals(name))
                .map(DeviceSnapshot::addresses)
                .filter(addresses -> !addresses.isEmpty())
                .map(addresses -> " on " + String.join(", ", addresses))
                .findFirst()
                .orElse("");
    }
}
