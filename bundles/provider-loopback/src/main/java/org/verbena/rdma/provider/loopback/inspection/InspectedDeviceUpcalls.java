package org.verbena.rdma.provider.loopback.inspection;

import org.verbena.rdma.provider.loopback.fault.ProviderUpcall;
import org.verbena.rdma.spi.DeviceUpcalls;

/**
 * The upcalls of a device, with faults.
 *
 * @param target core
 * @param faults what happens to them
 */
record InspectedDeviceUpcalls(DeviceUpcalls target, UpcallFaults faults) implements DeviceUpcalls {
    @Override
    public void addressesChanged() {
        faults.raise(ProviderUpcall.ADDRESSES_CHANGED, target::addressesChanged);
    }

    @Override
    public void linkChanged() {
        faults.raise(ProviderUpcall.LINK_CHANGED, target::linkChanged);
    }

    @Override
    public void gone() {
        faults.raise(ProviderUpcall.GONE, target::gone);
    }
}
