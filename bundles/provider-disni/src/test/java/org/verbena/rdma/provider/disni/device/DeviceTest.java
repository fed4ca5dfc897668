package org.verbena.rdma.provider.disni.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.verbena.rdma.DeviceCapability;
import org.verbena.rdma.LinkState;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.Transport;
import org.verbena.rdma.disni.VerbsNatives;
import org.verbena.rdma.provider.disni.scripted.ScriptedNatives;
import org.verbena.rdma.spi.DeviceUpcalls;

class DeviceTest {
    private static final int DEVICE_FATAL = 8;
    private static final int PORT_ERROR = 10;
    private static final int DEVICE_REMOVAL = 11;

    private final ScriptedNatives scripted = new ScriptedNatives();
    private final CountDownLatch going = new CountDownLatch(1);
    private final CountDownLatch gone = new CountDownLatch(1);
    private final CountDownLatch linkChanged = new CountDownLatch(1);

    private final DeviceUpcalls upcalls = new DeviceUpcalls() {
        @Override
        public void addressesChanged() {}

        @Override
        public void linkChanged() {
            linkChanged.countDown();
        }

        @Override
        public void gone() {
            gone.countDown();
        }
    };

    @Test
    void nothingStaysOpenWhileItIsNotUsed() throws RdmaException {
        DisniDevice device = device();
        assertThat(scripted.calls("closeDevice")).hasSize(1);

        device.open(upcalls);
        device.close();

        assertThat(scripted.calls("closeDevice")).hasSize(2);
        assertThat(scripted.calls("destroyCompletionChannel")).hasSize(1);
        assertThat(scripted.calls("destroyChannel")).hasSize(1);
        assertThat(scripted.calls("closeWaker")).hasSize(2);
        assertThat(scripted.names()).endsWith("closeDevice", "releaseDevices");
    }

    @Test
    void canBeOpenedAgain() throws RdmaException {
        DisniDevice device = device();
        for (int i = 0; i < 3; i++) {
            device.open(upcalls);
            device.close();
        }
        assertThat(scripted.calls("closeDevice")).hasSize(4);
    }

    @Test
    void opensNothingByHalves() throws RdmaException {
        DisniDevice device = device();
        scripted.answer("createChannel", arguments -> -24L);

        assertThatExceptionOfType(RdmaException.class).isThrownBy(() -> device.open(upcalls));

        assertThat(scripted.calls("closeDevice")).hasSize(2);
        assertThat(scripted.calls("destroyCompletionChannel")).hasSize(1);
        assertThat(device.linkState()).isEqualTo(LinkState.UNKNOWN);
    }

    @Test
    void saysThatItGoesAsSoonAsAnEventTells() throws Exception {
        DisniDevice device = device();
        device.open(upcalls);
        scripted.raiseAsync(DEVICE_FATAL, 0);
        going.await();
        device.close();
    }

    @Test
    void saysThatItGoesWhenAnIdIsTold() throws Exception {
        DisniDevice device = device();
        device.open(upcalls);
        scripted.raise(DEVICE_REMOVAL, 0, 12345);
        going.await();
        device.close();
    }

    @Test
    void callsFailFastOnceItIsGone() throws Exception {
        DisniDevice device = device();
        device.open(upcalls);

        device.vanish();
        gone.await();

        assertThatExceptionOfType(RdmaException.class)
                .isThrownBy(device::createProtectionDomain)
                .satisfies(failure -> assertThat(failure.error()).isEqualTo(RdmaError.NO_DEVICE));
        assertThat(scripted.calls("allocateDomain")).isEmpty();
        assertThat(scripted.calls("releaseDevice")).isEmpty();
        device.close();
        assertThat(scripted.names()).endsWith("closeDevice", "releaseDevice", "releaseDevices");
        assertThatExceptionOfType(RdmaException.class).isThrownBy(() -> device.open(upcalls));
    }

    @Test
    void lettingGoOfADeviceThatWasNotOpenReachesLibrdmacm() throws RdmaException {
        device().vanish();
        assertThat(scripted.names()).endsWith("releaseDevice", "releaseDevices");
    }

    @Test
    void tellsOfItsLink() throws Exception {
        DisniDevice device = device();
        device.open(upcalls);
        assertThat(device.linkState()).isEqualTo(LinkState.UP);

        scripted.answer("queryPort", arguments -> {
            ((long[]) arguments[2])[VerbsNatives.PORT_STATE] = 1;
            return 0;
        });
        scripted.raiseAsync(PORT_ERROR, 1);
        linkChanged.await();

        assertThat(device.linkState()).isEqualTo(LinkState.DOWN);
        device.close();
    }

    @Test
    void iwarpOffersLess() {
        long[] attributes = new long[VerbsNatives.DEVICE_ATTRIBUTES];
        attributes[VerbsNatives.DEVICE_TRANSPORT] = 1;
        attributes[VerbsNatives.DEVICE_ATOMICS] = 1;
        attributes[VerbsNatives.DEVICE_MAX_RESPONDER] = 1000;

        DisniAttributes iwarp = DisniAttributes.of(attributes, new long[VerbsNatives.PORT_ATTRIBUTES]);

        assertThat(iwarp.transport()).isEqualTo(Transport.IWARP);
        assertThat(iwarp.supports(DeviceCapability.ATOMICS)).isFalse();
        assertThat(iwarp.supports(DeviceCapability.IMMEDIATE_DATA)).isFalse();
        assertThat(iwarp.padsPrivateData()).isFalse();
        assertThat(iwarp.maxResponderResources()).isEqualTo(254);
        assertThat(iwarp.maxInitiatorDepth()).isEqualTo(254);
        assertThat(iwarp.maxQueuePairs()).isEqualTo(1);
    }

    private DisniDevice device() throws RdmaException {
        return DisniDevice.find("test0", scripted.natives(), going::countDown);
    }
}
