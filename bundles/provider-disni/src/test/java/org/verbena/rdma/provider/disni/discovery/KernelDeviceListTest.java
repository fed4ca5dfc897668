package org.verbena.rdma.provider.disni.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KernelDeviceListTest {
    @TempDir
    Path folder;

    private String[] registered;

    @Test
    void isEmptyWithoutTheKernelModule() {
        assertThat(new KernelDeviceList(folder.resolve("nowhere"), () -> registered).present())
                .isEmpty();
    }

    @Test
    void readsNamesThroughLinks() throws IOException {
        Path devices = Files.createDirectory(folder.resolve("devices"));
        Path list = Files.createDirectory(folder.resolve("class"));
        Path device = Files.createDirectory(devices.resolve("uverbs0"));
        Files.writeString(device.resolve("ibdev"), "rxe0\n");
        Files.createSymbolicLink(list.resolve("uverbs0"), device);
        Files.writeString(list.resolve("abi_version"), "6\n");
        Files.createDirectory(list.resolve("uverbs1"));

        assertThat(new KernelDeviceList(list, () -> registered).present())
                .extracting(PresentDevice::name)
                .containsExactly("rxe0");
    }

    @Test
    void tellsADeviceFromItsSuccessor() throws IOException {
        Path device = Files.createDirectory(folder.resolve("uverbs0"));
        Files.writeString(device.resolve("ibdev"), "rxe0\n");
        PresentDevice first = new KernelDeviceList(folder, () -> registered)
                .present()
                .iterator()
                .next();
        assertThat(new KernelDeviceList(folder, () -> registered).present()).containsExactly(first);

        Files.move(device, folder.resolve("former"));
        Files.writeString(Files.createDirectory(folder.resolve("uverbs0")).resolve("ibdev"), "rxe0\n");

        assertThat(new KernelDeviceList(folder, () -> registered).present())
                .hasSize(1)
                .doesNotContain(first);
    }

    @Test
    void doesNotListWhatTheKernelHasBegunToRemove() throws IOException {
        for (String name : new String[] {"rxe0", "siw0"}) {
            Files.writeString(
                    Files.createDirectory(folder.resolve("uverbs-" + name)).resolve("ibdev"), name + "\n");
        }
        registered = new String[] {"siw0", "mlx5_0"};

        assertThat(new KernelDeviceList(folder, () -> registered).present())
                .extracting(PresentDevice::name)
                .containsExactly("siw0");
    }
}
