package org.verbena.rdma.shell.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.verbena.rdma.monitor.ConsumerSnapshot;
import org.verbena.rdma.monitor.DeviceSnapshot.Condition;
import org.verbena.rdma.monitor.ListenerSnapshot;
import org.verbena.rdma.shell.command.FakeMonitor;
import org.verbena.rdma.shell.doctor.Finding.Level;

class DiagnosisTest {
    @TempDir
    private Path root;

    private final FakeMonitor monitor = new FakeMonitor();

    private void file(String name, String text) throws IOException {
        Path file = root.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private void limits(String locked, String files) throws IOException {
        file("proc/self/limits", """
                Limit                     Soft Limit           Hard Limit           Units
                Max open files            %s                   1048576              files
                Max locked memory         %s                   8388608              bytes
                """.formatted(files, locked));
    }

    private List<Finding> findings(InetAddress... addresses) {
        return Diagnosis.of(new Machine(root), monitor.snapshot(), List.of(addresses));
    }

    private List<String> problems() {
        return findings().stream()
                .filter(finding -> finding.level() == Level.PROBLEM)
                .map(Finding::sentence)
                .toList();
    }

    @Test
    void aMachineWithIwarpAloneIsFine() throws Exception {
        limits("8388608", "1048576");
        monitor.devices.add(FakeMonitor.device("eth0", Condition.PRESENT));

        assertThat(problems()).isEmpty();
        assertThat(findings())
                .extracting(Finding::sentence)
                .contains(
                        "Device eth0 of provider iwarp serves 127.0.0.1, 0:0:0:0:0:0:0:1, link up.",
                        "The kernel has no RDMA device; the iWARP provider needs none.");
    }

    @Test
    void nothingThereIsAProblem() throws Exception {
        limits("unlimited", "1048576");
        assertThat(problems()).containsExactly("There is no RDMA device.");
    }

    @Test
    void aKernelDeviceNeedsModulesLibrariesAndMemory() throws Exception {
        limits("65536", "1024");
        monitor.devices.add(FakeMonitor.device("eth0", Condition.PRESENT));
        file("sys/class/infiniband/siw0/ports/1/state", "1: DOWN\n");
        file("proc/modules", "ib_core 1 0 - Live 0x0\nib_uverbs 1 0 - Live 0x0\n");

        assertThat(problems())
                .containsExactly(
                        "The kernel's RDMA device siw0 is DOWN.",
                        "Connection management of the kernel cannot be used: module rdma_ucm is not loaded.",
                        "Library libibverbs.so.1 is in none of the usual folders.",
                        "Library librdmacm.so.1 is in none of the usual folders.",
                        "This process may lock 64 KiB of memory; each memory region on a device of the kernel takes of"
                                + " that.");
        assertThat(findings())
                .extracting(Finding::sentence)
                .contains(
                        "Kernel module ib_uverbs is loaded.",
                        "The kernel's RDMA device siw0 is not in use here.",
                        "This process may have 1024 files open; each iWARP connection is one.");
    }

    @Test
    void aKernelDeviceInGoodOrderIsFine() throws Exception {
        limits("unlimited", "1048576");
        monitor.devices.add(FakeMonitor.device("siw0", Condition.PRESENT));
        file("sys/class/infiniband/siw0/ports/1/state", "4: ACTIVE\n");
        file("sys/module/ib_uverbs/refcnt", "1");
        file("sys/module/rdma_ucm/refcnt", "1");
        file("usr/lib/x86_64-linux-gnu/libibverbs.so.1", "");
        file("usr/lib64/librdmacm.so.1", "");

        assertThat(findings()).extracting(Finding::level).containsOnly(Level.GOOD);
    }

    @Test
    void whatIsWrongWithDevicesAndConsumersIsNamed() throws Exception {
        limits("unlimited", "1048576");
        monitor.devices.add(FakeMonitor.device("a", Condition.UNPLUGGED));
        monitor.devices.add(FakeMonitor.device("b", Condition.FAILED));
        monitor.devices.add(FakeMonitor.device("c", Condition.ABANDONED));
        monitor.listeners.add(new ListenerSnapshot(
                FakeMonitor.id(1, "LISTEN", "0.0.0.0:7174", ""), 8, 0, List.of(), List.of("a 10.0.0.1: in use")));
        monitor.consumers.add(new ConsumerSnapshot("slow", 7, "1.0", 1, 1, 0, List.of("rdma 1"), 2, 1));

        assertThat(problems())
                .containsExactly(
                        "Device b of provider iwarp cannot be opened: .",
                        "Device c of provider iwarp is given up: .",
                        "The listener of org.verbena.rdma.rping at 0.0.0.0:7174 cannot listen on a 10.0.0.1: in use.",
                        "Callbacks of bundle slow block thread rdma 1; 2 more wait.");
        assertThat(findings())
                .contains(
                        Finding.note("Device a of provider iwarp is taken out.", "rdma:plug a puts it back."),
                        Finding.note(
                                "Bundle slow did not let go in time at 1 removal.",
                                "It should destroy its ids when it is told DEVICE_REMOVAL."));
    }

    @Test
    void anAddressWithoutADeviceIsNoted() throws Exception {
        monitor.devices.add(FakeMonitor.device("lo", Condition.PRESENT));

        assertThat(findings(InetAddress.getByName("10.1.2.3"), InetAddress.getByName("127.0.0.1")))
                .extracting(Finding::sentence)
                .contains("No device serves the address 10.1.2.3 of this machine.")
                .noneMatch(sentence -> sentence.contains("the address 127.0.0.1"));
    }
}
