package org.verbena.rdma.shell.command;

import java.io.PrintStream;
import java.util.concurrent.Callable;
import org.apache.felix.service.command.Descriptor;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.verbena.rdma.monitor.DeviceSnapshot;
import org.verbena.rdma.monitor.Monitor;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code rdma:plug}. */
@Component(
        service = PlugCommand.class,
        property = {"osgi.command.scope=rdma", "osgi.command.function=plug"})
public final class PlugCommand {
    private final Monitor monitor;

    @Activate
    public PlugCommand(@Reference Monitor monitor) {
        this.monitor = monitor;
    }

    /** The Gogo command. */
    @Descriptor("puts a device back that was taken out")
    public void plug(String[] arguments) {
        Invocation.inGogo(invocation -> new Plug(monitor, invocation.out()), arguments);
    }

    @Command(name = "plug", description = "Puts a device back that unplug has taken out.")
    static final class Plug implements Callable<Integer> {
        private final Monitor monitor;
        private final PrintStream out;

        @Parameters(paramLabel = "NAME", description = "The name of the device.")
        private String name;

        @Mixin
        private HelpOption help;

        Plug(Monitor monitor, PrintStream out) {
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
}
