package org.verbena.rdma.core.device;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.verbena.rdma.core.address.AddressKey;

/**
 * Which device serves which address, at one time; immutable. Of several devices with an address the one that ranks first
 * serves it, the others show it as shadowed.
 */
public final class AddressBook {
    private final List<Device> devices;
    private final Map<AddressKey, Device> serving = new HashMap<>();

    AddressBook(List<Device> present) {
        List<Device> ranked = new ArrayList<>(present);
        ranked.sort(Comparator.comparing(Device::rank));
        devices = List.copyOf(ranked);
        for (Device device : devices) {
            for (InetAddress address : device.addresses()) {
                serving.putIfAbsent(AddressKey.of(address), device);
            }
        }
    }

    /**
     * Returns the devices.
     *
     * @return the devices, the one that ranks first at the front
     */
    public List<Device> devices() {
        return devices;
    }

    /**
     * Returns who serves an address.
     *
     * @param address the address
     * @return the device, or {@code null}
     */
    public Device serving(InetAddress address) {
        return serving.get(AddressKey.of(address));
    }

    /**
     * Returns the addresses of a device that it serves itself.
     *
     * @param device the device
     * @return its addresses without the shadowed ones
     */
    public List<InetAddress> servedBy(Device device) {
        return device.addresses().stream()
                .filter(address -> serving(address) == device)
                .toList();
    }

    /**
     * Returns the addresses of a device that another serves.
     *
     * @param device the device
     * @return the shadowed addresses
     */
    public List<InetAddress> shadowed(Device device) {
        return device.addresses().stream()
                .filter(address -> serving(address) != device)
                .toList();
    }
}
