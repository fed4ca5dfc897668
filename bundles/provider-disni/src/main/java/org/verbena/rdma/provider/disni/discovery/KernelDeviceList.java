package org.verbena.rdma.provider.disni.discovery;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the list of devices from the kernel: those that have an entry of ib_uverbs, without which libibverbs cannot open
 * them, and that netlink lists. Both signs are there until the last program has closed a device that is being removed,
 * and go at its beginning: netlink's at once, the entry when the kernel comes to ib_uverbs. Where that was loaded before
 * rdma_cm, it is later, and too late while an id is connecting: the kernel waits for that id first.
 *
 * <p>To ask is cheap, and enough: the kernel's uevents for the entry come with that sign, not with the earlier one, are not
 * told in the network namespaces of containers, and may be lost, so that a list would have to be read all the same.
 */
final class KernelDeviceList implements DeviceList {
    private static final Logger LOG = LoggerFactory.getLogger(KernelDeviceList.class);

    private final Path folder;
    private final Supplier<String[]> registered;

    /** Makes a list; {@code registered} returns what netlink lists, or {@code null} where it cannot be asked. */
    KernelDeviceList(Path folder, Supplier<String[]> registered) {
        this.folder = folder;
        this.registered = registered;
    }

    @Override
    public Set<PresentDevice> present() {
        Set<PresentDevice> devices = new HashSet<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, "uverbs*")) {
            for (Path entry : entries) {
                add(entry, devices);
            }
        } catch (IOException notLoaded) {
            LOG.trace("{} cannot be read: ib_uverbs is not loaded", folder, notLoaded);
        }
        String[] names = devices.isEmpty() ? null : registered.get();
        if (names != null) {
            List<String> known = List.of(names);
            devices.removeIf(device -> !known.contains(device.name()));
        }
        return devices;
    }

    private static void add(Path entry, Set<PresentDevice> devices) {
        try {
            Path real = entry.toRealPath();
            Object identity =
                    Files.readAttributes(real, BasicFileAttributes.class).fileKey();
            devices.add(
                    new PresentDevice(Files.readString(real.resolve("ibdev")).strip(), identity));
        } catch (IOException justGone) {
            LOG.trace("{} is gone while it was read", entry, justGone);
        }
    }
}
