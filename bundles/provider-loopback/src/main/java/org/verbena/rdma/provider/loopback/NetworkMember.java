package org.verbena.rdma.provider.loopback;

import java.net.InetAddress;
import java.util.List;
import org.verbena.rdma.LinkState;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.provider.loopback.inspection.DeviceControls;
import org.verbena.rdma.spi.ProviderDevice;

/**
 * A device in its network.
 *
 * @param device the device itself
 * @param announced the device under inspection, as the registry has it
 * @param socket registers and unregisters it
 */
record NetworkMember(LoopbackDevice device, ProviderDevice announced, DevicePlug socket) implements DeviceControls {
    @Override
    public void vanish() {
        device.vanish();
    }

    @Override
    public void unplug() {
        socket.unplug();
    }

    @Override
    public void plug() {
        if (!socket.plug(device::appear)) {
            throw new IllegalStateException("device " + device.name() + " is registered, or its removal goes on");
        }
    }

    @Override
    public void changeAddresses(List<InetAddress> addresses) {
        device.changeAddresses(addresses);
    }

    @Override
    public void changeLink(LinkState state) {
        device.changeLink(state);
    }

    @Override
    public void changeNetwork() {
        device.connections().tellAddressChanged();
    }

    @Override
    public void breakConnections(RdmaError error) {
        device.connections().breakConnections(error);
    }
}
