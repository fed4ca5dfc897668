package org.verbena.rdma.provider.loopback.fake;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.verbena.rdma.provider.loopback.DeviceRegistry;
import org.verbena.rdma.spi.ProviderDevice;

/** Stands for the service registry. */
public final class Registry implements DeviceRegistry {
    private final List<ProviderDevice> devices = new CopyOnWriteArrayList<>();
    private volatile int lastRanking;
    private volatile Runnable onUnregister = () -> {};

    public List<ProviderDevice> devices() {
        return devices;
    }

    /** The ranking of the device that came last. */
    public int ranking() {
        return lastRanking;
    }

    /** What core does inside of an unregistration. */
    public void onUnregister(Runnable action) {
        onUnregister = action;
    }

    @Override
    public void register(ProviderDevice device, int ranking) {
        devices.add(device);
        lastRanking = ranking;
    }

    @Override
    public void unregister(ProviderDevice device) {
        devices.remove(device);
        onUnregister.run();
    }
}
