package org.verbena.rdma.shell.command;

import java.io.PrintStream;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.apache.felix.service.command.Descriptor;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.verbena.rdma.monitor.DeviceSnapshot;
import org.verbena.rdma.monitor.Monitor;
import org.verbena.rdma.shell.table.Table;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code rdma:devices}. */
@Component(
        service = DevicesCommand.class,
        property = {"osgi.command.scope=rdma", "osgi.command.function=devices"})
public final class DevicesCommand {
    private final Monitor monitor;

    @Activate
    public DevicesCommand(@Reference Monitor monitor) {
        this.monitor = monitor;
    }

    /** The Gogo command. */
    @Descriptor("lists the devices")
    public void devices(String[] arguments) {
        Invocation.inGogo(invocation -> new Devices(monitor, invocation.out()), arguments);
    }

    @Command(name = "devices", description = "Lists the devices, also those that are out or going.")
    static final class Devices implements Callable<Integer> {
        private final Monitor monitor;
        private final PrintStream out;

        @Mixin
        private HelpOption help;

        Devices(Monitor monitor, PrintStream out) {
            this.monitor = monitor;
            this.out = out;
        }

        @Override
        public Integer call() {
            Table table = new Table(
                    "NAME", "PROVIDER", "TRANSPORT", "CONDITION", "LINK", "IDS", "OBJECTS", "ADDRESSES", "NOTE");
            for (DeviceSnapshot device : monitor.snapshot().devices()) {
                table.row(
                        device.name(),
                        device.provider(),
                        device.transport(),
                        device.condition().name().toLowerCase(Locale.ROOT),
                        device.link(),
                        device.ids(),
                        device.verbsObjects().values().stream()
                                .mapToInt(Integer::intValue)
                                .sum(),
                        String.join(", ", device.addresses()),
                        note(device));
            }
            table.print(out, "no devices");
            return 0;
        }

        private static String note(DeviceSnapshot device) {
            if (!device.detail().isEmpty() || device.shadowed().isEmpty()) {
                return device.detail();
            }
            return "another device serves " + String.join(", ", device.shadowed());
        }
    }
}
