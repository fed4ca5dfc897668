package org.verbena.rdma.provider.disni.discovery;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the list of devices from the kernel. The entries of ib_uverbs are what libibverbs goes by, and they go first: as
 * soon as a device is being removed, while its other traces stay until the last program has closed it.
 */
final class KernelDeviceList implements DeviceList {
    private static final Logger LOG = LoggerFactory.getLogger(KernelDeviceList.class);

    private final Path folder;

    KernelDeviceList(Path folder) {
        this.folder = folder;
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
