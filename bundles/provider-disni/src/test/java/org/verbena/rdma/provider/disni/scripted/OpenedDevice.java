package org.verbena.rdma.provider.disni.scripted;

import org.verbena.rdma.CompletionQueue;
import org.verbena.rdma.QueuePairConfiguration;
import org.verbena.rdma.QueuePairType;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.disni.VerbsNatives;
import org.verbena.rdma.provider.disni.device.DisniDevice;
import org.verbena.rdma.provider.disni.verbs.DisniQueuePair;
import org.verbena.rdma.spi.CompletionUpcalls;
import org.verbena.rdma.spi.DeviceUpcalls;
import org.verbena.rdma.spi.Endpoint;
import org.verbena.rdma.spi.ProviderCompletionQueue;
import org.verbena.rdma.spi.ProviderProtectionDomain;
import org.verbena.rdma.spi.ProviderSharedReceiveQueue;
import org.verbena.rdma.spi.QueuePairResources;

/** A device on scripted natives, open, with a domain and a completion queue. */
public record OpenedDevice(
        DisniDevice device, ProviderProtectionDomain domain, ProviderCompletionQueue completionQueue) {
    public static OpenedDevice roce(ScriptedNatives scripted) throws RdmaException {
        return open(scripted, () -> {});
    }

    public static OpenedDevice iwarp(ScriptedNatives scripted) throws RdmaException {
        scripted.answer("queryDevice", arguments -> {
            ((long[]) arguments[1])[VerbsNatives.DEVICE_TRANSPORT] = 1;
            return 0;
        });
        return open(scripted, () -> {});
    }

    public static OpenedDevice open(ScriptedNatives scripted, CompletionUpcalls completionUpcalls)
            throws RdmaException {
        DisniDevice device = DisniDevice.find("test0", scripted.natives(), () -> {});
        device.open(new DeviceUpcalls() {
            @Override
            public void addressesChanged() {}

            @Override
            public void linkChanged() {}

            @Override
            public void gone() {}
        });
        return new OpenedDevice(
                device, device.createProtectionDomain(), device.createCompletionQueue(16, completionUpcalls));
    }

    public DisniQueuePair queuePair(Endpoint endpoint) throws RdmaException {
        return queuePair(endpoint, null, 4);
    }

    public DisniQueuePair queuePair(Endpoint endpoint, ProviderSharedReceiveQueue shared, int depth)
            throws RdmaException {
        return (DisniQueuePair) endpoint.createQueuePair(
                new QueuePairResources(domain, completionQueue, completionQueue, shared),
                new QueuePairConfiguration(
                        QueuePairType.RELIABLE_CONNECTED, UNUSED, UNUSED, null, depth, depth, 2, 2, 0));
    }

    /** The provider uses its own objects alone. */
    private static final CompletionQueue UNUSED = (CompletionQueue) java.lang.reflect.Proxy.newProxyInstance(
            OpenedDevice.class.getClassLoader(), new Class<?>[] {CompletionQueue.class}, (proxy, method, given) -> {
                throw new AssertionError(method);
            });
}
