package org.verbena.rdma.provider.iwarp.activation;

import org.verbena.rdma.provider.iwarp.device.InterfaceState;

/**
 * A device that should be there, by the configurations and the interfaces of this moment.
 *
 * @param name its name
 * @param configuration what it is made from
 * @param guid from the hardware address, 0 where there is none
 * @param state what its interface is like
 */
record WantedDevice(String name, DeviceConfiguration configuration, long guid, InterfaceState state) {}
