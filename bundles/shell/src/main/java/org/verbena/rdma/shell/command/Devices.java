package org.verbena.rdma.shell.command;

import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.monitor.ConsumerSnapshot;
import org.verbena.rdma.monitor.DeviceSnapshot;
import org.verbena.rdma.monitor.Monitor;
import org.verbena.rdma.monitor.RemovalSnapshot;
import org.verbena.rdma.monitor.Snapshot;
import org.verbena.rdma.shell.json.Json;
import org.verbena.rdma.shell.table.Table;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code rdma:devices}. */
@Command(
        name = "devices",
        description = {
            "Lists the devices, also those that are out or going, and says who holds up a removal.",
            "With a name: all there is to know of that device."
        })
public final class Devices extends Listing {
    @Parameters(paramLabel = "NAME", arity = "0..1", description = "The name of a device.")
    private String name;

    /** A device, who uses it, and what is going on with it; no removal is null. */
    private record Detail(DeviceSnapshot device, RemovalSnapshot removal, List<ConsumerSnapshot> consumers) {}

    /**
     * Makes one use of the command.
     *
     * @param monitor what it works on
     * @param out where it prints to
     */
    public Devices(Monitor monitor, PrintStream out) {
        super(monitor, out);
    }

    @Override
    public Integer call() throws RdmaException {
        Snapshot snapshot = snapshot();
        if (name == null) {
            list(snapshot);
        } else {
            show(detail(snapshot));
        }
        return 0;
    }

    private void list(Snapshot snapshot) {
        Table table =
                new Table("NAME", "PROVIDER", "TRANSPORT", "CONDITION", "LINK", "IDS", "OBJECTS", "ADDRESSES", "NOTE");
        for (DeviceSnapshot device : snapshot.devices()) {
            table.row(
                    device.name(),
                    device.provider(),
                    device.transport(),
                    Words.lower(device.condition()),
                    device.link(),
                    device.ids(),
                    device.verbsObjects().values().stream()
                            .mapToInt(Integer::intValue)
                            .sum(),
                    String.join(", ", device.addresses()),
                    note(device, removal(snapshot, device)));
        }
        print(snapshot.devices(), table, "no devices");
    }

    private static String note(DeviceSnapshot device, RemovalSnapshot removal) {
        if (removal != null) {
            return Words.progress(removal);
        }
        if (!device.detail().isEmpty() || device.shadowed().isEmpty()) {
            return device.detail();
        }
        return "another device serves " + String.join(", ", device.shadowed());
    }

    private static RemovalSnapshot removal(Snapshot snapshot, DeviceSnapshot device) {
        return snapshot.removals().stream()
                .filter(removal -> removal.deviceNumber() == device.number())
                .findFirst()
                .orElse(null);
    }

    private Detail detail(Snapshot snapshot) throws RdmaException {
        DeviceSnapshot device = snapshot.devices().stream()
                .filter(candidate -> candidate.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new RdmaException(
                        RdmaError.NOT_FOUND, "there is no device " + name + "; rdma:devices lists those there are"));
        List<String> users = Ids.rows(snapshot)
                .filter(row -> row.id().device().equals(name))
                .map(row -> row.id().consumer())
                .distinct()
                .toList();
        List<ConsumerSnapshot> consumers = snapshot.consumers().stream()
                .filter(consumer -> users.contains(consumer.bundle()))
                .toList();
        return new Detail(device, removal(snapshot, device), consumers);
    }

    private void show(Detail detail) {
        if (isJson()) {
            Json.pretty().print(out(), detail);
            return;
        }
        DeviceSnapshot device = detail.device();
        out().println(device.name());
        line("provider", device.provider() + ", " + device.transport());
        line("guid", device.guid());
        line("condition", Words.lower(device.condition()) + (device.detail().isEmpty() ? "" : ": " + device.detail()));
        line("link", device.link());
        line("addresses", String.join(", ", device.addresses()));
        line("elsewhere", String.join(", ", device.shadowed()));
        line("ids", String.valueOf(device.ids()));
        line("objects", counts(device.verbsObjects()));
        for (ConsumerSnapshot consumer : detail.consumers()) {
            String trouble = Words.trouble(consumer);
            line("used by", consumer.bundle() + (trouble.isEmpty() ? "" : ": " + trouble));
        }
        show(detail.removal());
        device.counters().forEach((counter, value) -> {
            if (value != 0) {
                line(counter, String.valueOf(value));
            }
        });
    }

    private void show(RemovalSnapshot removal) {
        if (removal == null) {
            return;
        }
        line(
                "removal",
                Words.lower(removal.step()) + ", runs for " + Words.seconds(removal.elapsedMillis()) + ", "
                        + Words.ids(removal.idsTold()) + " told, " + removal.idsLeft() + " left; begun by: "
                        + removal.cause());
        removal.waitingFor().forEach(holder -> line("held up by", holder));
        removal.forced().forEach(bundle -> line("forced", bundle));
    }

    private void line(String what, String text) {
        if (!text.isEmpty()) {
            out().printf("  %-22s %s%n", what, text);
        }
    }

    private static String counts(Map<String, Integer> byKind) {
        return byKind.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(entry -> entry.getValue() + " " + entry.getKey())
                .collect(Collectors.joining(", "));
    }
}
