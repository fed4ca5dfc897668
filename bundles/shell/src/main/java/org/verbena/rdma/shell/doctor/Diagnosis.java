package org.verbena.rdma.shell.doctor;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.verbena.rdma.monitor.ConsumerSnapshot;
import org.verbena.rdma.monitor.DeviceSnapshot;
import org.verbena.rdma.monitor.ListenerSnapshot;
import org.verbena.rdma.monitor.RemovalSnapshot;
import org.verbena.rdma.monitor.Snapshot;

/** Says in plain sentences how a machine and its devices are, and what to do about what is wrong. */
public final class Diagnosis {
    private static final long MUCH_LOCKED_MEMORY = 1L << 30;
    private static final long MANY_FILES = 4_096;

    private final Machine machine;
    private final Snapshot snapshot;
    private final List<InetAddress> addresses;
    private final List<Finding> findings = new ArrayList<>();

    private Diagnosis(Machine machine, Snapshot snapshot, List<InetAddress> addresses) {
        this.machine = machine;
        this.snapshot = snapshot;
        this.addresses = addresses;
    }

    /**
     * Looks at everything.
     *
     * @param machine the files of the machine
     * @param snapshot what core knows
     * @param addresses the addresses of the machine, without those of loopback interfaces
     * @return what was found
     */
    public static List<Finding> of(Machine machine, Snapshot snapshot, List<InetAddress> addresses) {
        Diagnosis diagnosis = new Diagnosis(machine, snapshot, addresses);
        diagnosis.devices();
        diagnosis.addresses();
        diagnosis.listeners();
        diagnosis.consumers();
        diagnosis.removals();
        diagnosis.kernel();
        diagnosis.limits();
        return List.copyOf(diagnosis.findings);
    }

    private void devices() {
        if (snapshot.devices().isEmpty()) {
            findings.add(Finding.problem(
                    "There is no RDMA device.",
                    "Install a provider; org.verbena.rdma.provider-iwarp needs no hardware."));
        }
        for (DeviceSnapshot device : snapshot.devices()) {
            String name = "Device " + device.name() + " of provider " + device.provider();
            switch (device.condition()) {
                case PRESENT -> present(device, name);
                case REMOVING ->
                    findings.add(Finding.note(
                            name + " is being removed.", "rdma:devices " + device.name() + " tells more."));
                case UNPLUGGED ->
                    findings.add(
                            Finding.note(name + " is taken out.", "rdma:plug " + device.name() + " puts it back."));
                case FAILED ->
                    findings.add(Finding.problem(
                            name + " cannot be opened: " + device.detail() + ".",
                            "Mend that, then rdma:plug " + device.name() + "."));
                case ABANDONED ->
                    findings.add(Finding.problem(
                            name + " is given up: " + device.detail() + ".",
                            "Its provider hangs; the log has the stack. Only a restart of this JVM brings it back."));
            }
        }
    }

    private void present(DeviceSnapshot device, String name) {
        boolean down = device.link().equals("down");
        if (down) {
            findings.add(Finding.problem(
                    name + " has no link.", "See to its cable or interface: ip link show, rdma link show."));
        } else if (device.addresses().isEmpty()) {
            findings.add(Finding.problem(
                    name + " serves no address" + elsewhere(device) + ".",
                    "Give its network interface an address of its own."));
        } else {
            findings.add(Finding.good(name + " serves " + String.join(", ", device.addresses()) + elsewhere(device)
                    + ", link " + device.link() + "."));
        }
    }

    private static String elsewhere(DeviceSnapshot device) {
        return device.shadowed().isEmpty()
                ? ""
                : ", but not " + String.join(", ", device.shadowed()) + ", which another device serves";
    }

    private void addresses() {
        Map<String, String> serving = new TreeMap<>();
        snapshot.devices()
                .forEach(device -> device.addresses().forEach(address -> serving.put(address, device.name())));
        for (InetAddress address : addresses) {
            if (!address.isLinkLocalAddress() && !serving.containsKey(address.getHostAddress())) {
                findings.add(Finding.note(
                        "No device serves the address " + address.getHostAddress() + " of this machine.",
                        "To use RDMA there, configure a device of the iWARP provider for its interface."));
            }
        }
    }

    private void listeners() {
        for (ListenerSnapshot listener : snapshot.listeners()) {
            for (String failure : listener.failures()) {
                findings.add(Finding.problem(
                        "The listener of " + listener.id().consumer() + " at "
                                + listener.id().local() + " cannot listen on " + failure + ".",
                        "It is tried again by itself; see who else uses the port: ss -ltnp."));
            }
        }
    }

    private void consumers() {
        for (ConsumerSnapshot consumer : snapshot.consumers()) {
            if (!consumer.blockedThreads().isEmpty()) {
                findings.add(Finding.problem(
                        "Callbacks of bundle " + consumer.bundle() + " block thread "
                                + String.join(", ", consumer.blockedThreads()) + "; "
                                + consumer.waitingCallbacks() + " more wait.",
                        "Take a stack of that thread (jstack), and mend the callback: it must return soon."));
            }
            if (consumer.forced() > 0) {
                findings.add(Finding.note(
                        "Bundle " + consumer.bundle() + " did not let go in time at " + consumer.forced()
                                + (consumer.forced() == 1 ? " removal." : " removals."),
                        "It should destroy its ids when it is told DEVICE_REMOVAL."));
            }
        }
    }

    private void removals() {
        for (RemovalSnapshot removal : snapshot.removals()) {
            for (String holder : removal.waitingFor()) {
                findings.add(Finding.problem(
                        "The removal of " + removal.device() + " is held up by " + holder + ".",
                        "It goes on by force at its deadline."));
            }
        }
    }

    // The kernel

    private void kernel() {
        if (!machine.isLinux()) {
            findings.add(Finding.note("This is not Linux: there are no RDMA devices of the kernel.", ""));
            return;
        }
        List<String> kernelDevices = machine.kernelDevices();
        if (kernelDevices.isEmpty()) {
            findings.add(Finding.note(
                    "The kernel has no RDMA device; the iWARP provider needs none.",
                    "For one in software: modprobe siw; rdma link add siw0 type siw netdev INTERFACE."));
            return;
        }
        for (String device : kernelDevices) {
            kernelDevice(device);
        }
        kernelInterfaces();
        libraries();
    }

    private void kernelDevice(String device) {
        String state = machine.portState(device);
        if (state.equals("ACTIVE")) {
            findings.add(Finding.good("The kernel's RDMA device " + device + " is active."));
        } else {
            findings.add(Finding.problem(
                    "The kernel's RDMA device " + device + " is " + (state.isEmpty() ? "in no known state" : state)
                            + ".",
                    "See to its interface: ip link show; rdma link show."));
        }
        if (snapshot.devices().stream().noneMatch(known -> known.name().equals(device))) {
            findings.add(Finding.note(
                    "The kernel's RDMA device " + device + " is not in use here.",
                    "org.verbena.rdma.provider-disni brings the devices of the kernel."));
        }
    }

    private void kernelInterfaces() {
        module("ib_uverbs", "Verbs");
        module("rdma_ucm", "Connection management");
        if (machine.has("dev/infiniband/rdma_cm") && !machine.mayOpen("dev/infiniband/rdma_cm")) {
            findings.add(Finding.problem(
                    "This process may not open /dev/infiniband/rdma_cm.",
                    "Run it as root, or let its group read and write the files in /dev/infiniband (udev)."));
        }
    }

    private void module(String module, String what) {
        if (machine.hasModule(module)) {
            findings.add(Finding.good("Kernel module " + module + " is loaded."));
        } else {
            findings.add(Finding.problem(
                    what + " of the kernel cannot be used: module " + module + " is not loaded.",
                    "modprobe " + module + "; in /etc/modules-load.d/ for good."));
        }
    }

    private void libraries() {
        library("libibverbs.so.1", "libibverbs1");
        library("librdmacm.so.1", "librdmacm1");
    }

    private void library(String library, String pack) {
        if (machine.hasLibrary(library)) {
            findings.add(Finding.good("Library " + library + " is there."));
        } else {
            findings.add(Finding.problem(
                    "Library " + library + " is in none of the usual folders.",
                    "apt install " + pack + " ibverbs-providers, or rdma-core of your distribution."));
        }
    }

    private void limits() {
        machine.limit("Max locked memory")
                .filter(most -> most < MUCH_LOCKED_MEMORY)
                .ifPresent(most -> {
                    String sentence = "This process may lock " + most / 1024 + " KiB of memory";
                    String advice = "ulimit -l unlimited, or LimitMEMLOCK=infinity in its systemd unit.";
                    findings.add(
                            machine.kernelDevices().isEmpty()
                                    ? Finding.note(sentence + "; only devices of the kernel need more.", advice)
                                    : Finding.problem(
                                            sentence + "; each memory region on a device of the kernel takes of that.",
                                            advice));
                });
        machine.limit("Max open files")
                .filter(most -> most < MANY_FILES)
                .ifPresent(most -> findings.add(Finding.note(
                        "This process may have " + most + " files open; each iWARP connection is one.",
                        "ulimit -n 65536, or LimitNOFILE=65536 in its systemd unit.")));
    }
}
