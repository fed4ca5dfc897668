package org.verbena.rdma.provider.loopback.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.EnumSet;
import org.junit.jupiter.api.Test;
import org.verbena.rdma.Access;
import org.verbena.rdma.provider.loopback.LoopbackAttributes;

class RegionCloseTest {
    private final VerbsDevice device = new VerbsDevice(
            "device",
            LoopbackAttributes.defaults("device"),
            Duration.ofMillis(1),
            Runnable::run,
            Runnable::run,
            (delay, task) -> () -> {});

    @Test
    void closeWaitsForTheMoveUnderWay() throws Exception {
        LoopbackMemoryRegion region = device.createProtectionDomain()
                .registerMemory(ByteBuffer.allocateDirect(8), EnumSet.allOf(Access.class));
        long stamp = region.enter();
        Thread closing = new Thread(region::close);
        closing.start();
        await().until(() -> closing.getState() == Thread.State.WAITING);
        assertThat(region.enter()).as("nothing is begun any more").isZero();
        region.leave(stamp);
        closing.join();
        assertThat(region.enter()).isZero();
    }

    @Test
    void aKeyIsFoundUntilTheClose() throws Exception {
        LoopbackMemoryRegion region = device.createProtectionDomain()
                .registerMemory(ByteBuffer.allocateDirect(8), EnumSet.allOf(Access.class));
        assertThat(device.regions().find(region.remoteKey())).isSameAs(region);
        region.close();
        assertThat(device.regions().find(region.remoteKey())).isNull();
    }

    @Test
    void theTableGrows() throws Exception {
        LoopbackProtectionDomain domain = device.createProtectionDomain();
        LoopbackMemoryRegion[] regions = new LoopbackMemoryRegion[500];
        for (int index = 0; index < regions.length; index++) {
            regions[index] = domain.registerMemory(ByteBuffer.allocateDirect(8), EnumSet.noneOf(Access.class));
        }
        for (int index = 0; index < regions.length; index += 2) {
            regions[index].close();
        }
        for (int index = 0; index < regions.length; index++) {
            assertThat(device.regions().find(regions[index].remoteKey()))
                    .isSameAs(index % 2 == 0 ? null : regions[index]);
        }
    }
}
