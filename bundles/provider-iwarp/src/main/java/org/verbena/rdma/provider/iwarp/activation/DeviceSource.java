package org.verbena.rdma.provider.iwarp.activation;

import java.net.SocketException;
import java.util.Collection;
import java.util.Map;

/** Says which devices should be there. */
@FunctionalInterface
interface DeviceSource {
    /**
     * Returns the devices that should be there now.
     *
     * @param configurations what is configured, may be empty
     * @return the devices by their names
     * @throws SocketException if the interfaces cannot be listed
     */
    Map<String, WantedDevice> wanted(Collection<DeviceConfiguration> configurations) throws SocketException;
}
