package org.verbena.rdma.disni;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.ibm.disni.util.MemoryUtils;
import com.ibm.disni.verbs.RdmaEventChannel;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The library in this JVM, without a device. Skipped where it was not built, or where librdmacm is not installed; that
 * it says so is tested in any case.
 */
class LibDisniTest {
    private LibDisni natives;

    @BeforeEach
    void load() {
        try {
            natives = LibDisni.load();
        } catch (UnsatisfiedLinkError missing) {
            assertThat(missing).hasMessageContaining("install").hasMessageNotContaining("\n");
            assumeTrue(false, missing.getMessage());
        }
    }

    @Test
    void loadsAgain() {
        assertThat(LibDisni.load().versions()).contains("librdmacm.so.1").contains("libibverbs.so.1");
    }

    @Test
    void listsDevices() {
        String[] names = natives.deviceNames();
        assumeTrue(names != null, "this kernel tells of no devices");
        assertThat(names).doesNotContainNull();
    }

    @Test
    void refusesADeviceThatIsNotThere() {
        assertThat(natives.openDevice("nowhere0")).isNegative();
        assertThat(natives.networkInterface("nowhere0", 1)).isNull();
    }

    @Test
    void tellsAddressesOfDirectBuffersWithoutFlagsOfTheJvm() {
        ByteBuffer buffer = ByteBuffer.allocateDirect(64);

        assertThat(natives.address(buffer)).isPositive().isEqualTo(MemoryUtils.getAddress(buffer));
        assertThat(natives.address(buffer.position(8).slice())).isEqualTo(natives.address(buffer) + 8);
        assertThat(natives.address(ByteBuffer.allocate(8))).isZero();
    }

    @Test
    void waitsUntilWoken() throws InterruptedException {
        int waker = natives.createWaker();
        int[] ready = new int[1];
        Thread waiting = new Thread(() -> ready[0] = natives.await(-1, -1, waker));
        waiting.start();

        assertThat(natives.wake(waker)).isZero();
        waiting.join();

        assertThat(ready[0]).isEqualTo(4);
        assertThat(natives.calm(waker)).isZero();
        assertThat(natives.closeWaker(waker)).isZero();
    }

    @Test
    void refusesToConnectWithACallThatWasInterrupted() {
        long call = natives.createCall();
        natives.interruptCall(call);

        assertThat(natives.connect(call, 0, 0, new byte[0], 1, 1, 7, 7)).isEqualTo(-4);
        natives.freeCall(call);
    }

    @Test
    void refusesPrivateDataThatIsTooLong() {
        assertThat(natives.reject(0, new byte[256])).isEqualTo(-90);
    }

    @Test
    void givesUpDevicesWhenNoChannelIsLeft() {
        assertThat(natives.releaseDevices()).isZero();
        assertThat(natives.versions()).contains("(not open)");

        assertThat(LibDisni.load().versions()).doesNotContain("(not open)");
    }

    @Test
    void letsDisnisOwnClassesWork() {
        try {
            RdmaEventChannel channel = RdmaEventChannel.createEventChannel();
            assertThat(channel.destroyEventChannel()).isZero();
        } catch (IOException withoutDevices) {
            assertThat(withoutDevices).hasMessageContaining("rdma_create_event_channel failed");
        } catch (Exception other) {
            Assertions.fail(other);
        }
    }
}
