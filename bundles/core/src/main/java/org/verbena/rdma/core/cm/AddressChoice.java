package org.verbena.rdma.core.cm;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.core.address.AddressKey;
import org.verbena.rdma.core.address.SourceAddressLookup;
import org.verbena.rdma.core.device.AddressBook;
import org.verbena.rdma.core.device.Device;

/**
 * Which device and which local address lead to a destination: the bound or given address; else the destination itself if
 * it is local; else what routing says; else a device with a network of its own.
 *
 * @param device the device
 * @param source the local address, without a port
 * @param destination where to, a wildcard replaced
 */
record AddressChoice(Device device, InetAddress source, InetSocketAddress destination) {

    static void requireUsable(InetSocketAddress address) throws RdmaException {
        if (address.isUnresolved()) {
            throw new RdmaException(
                    RdmaError.INVALID_ARGUMENT, "host " + address.getHostString() + " is unknown: check its name");
        }
        AddressKey.requireScope(address.getAddress());
    }

    /** The device that serves a local address, which must be the pinned one if there is one. */
    static Device serving(AddressBook book, InetAddress local, Device pinned) throws RdmaException {
        if (pinned != null) {
            AddressKey wanted = AddressKey.of(local);
            if (pinned.addresses().stream().map(AddressKey::of).anyMatch(wanted::equals)) {
                return pinned;
            }
            throw new RdmaException(
                    RdmaError.ADDRESS_NOT_AVAILABLE,
                    "the id is pinned to device " + pinned.name() + ", which has no address " + local.getHostAddress()
                            + " but " + pinned.addresses());
        }
        Device device = book.serving(local);
        if (device == null) {
            throw new RdmaException(
                    RdmaError.ADDRESS_NOT_AVAILABLE,
                    "no device has the address " + local.getHostAddress() + devicesOf(book));
        }
        return device;
    }

    static AddressChoice of(
            AddressBook book,
            SourceAddressLookup routing,
            Device pinned,
            InetAddress source,
            InetSocketAddress destination)
            throws RdmaException {
        if (source != null && !AddressKey.sameFamily(source, destination.getAddress())) {
            throw new RdmaException(
                    RdmaError.INVALID_ARGUMENT,
                    "source " + source.getHostAddress() + " and destination "
                            + destination.getAddress().getHostAddress() + " are of different families");
        }
        boolean given = source != null && !source.isAnyLocalAddress();
        InetAddress target = destination.getAddress();
        if (target.isAnyLocalAddress()) {
            InetAddress self = given ? source : anyLocal(book, pinned, target);
            return new AddressChoice(
                    serving(book, self, pinned), self, new InetSocketAddress(self, destination.getPort()));
        }
        InetAddress local = given ? source : choose(book, routing, pinned, target);
        return new AddressChoice(serving(book, local, pinned), local, destination);
    }

    private static InetAddress choose(AddressBook book, SourceAddressLookup routing, Device pinned, InetAddress target)
            throws RdmaException {
        Device own = book.serving(target);
        if (own != null && (pinned == null || pinned == own)) {
            return target;
        }
        if (pinned == null || own == null) {
            InetAddress routed = routing.sourceFor(target);
            if (routed != null && book.serving(routed) != null && (pinned == null || book.serving(routed) == pinned)) {
                return routed;
            }
        }
        for (Device device : book.devices()) {
            if ((pinned == null || pinned == device) && reaches(device, target)) {
                Optional<InetAddress> local = device.addresses().stream()
                        .filter(address -> AddressKey.sameFamily(address, target))
                        .findFirst();
                if (local.isPresent()) {
                    return local.get();
                }
            }
        }
        if (pinned != null) {
            // Pinned and not routed there: the device's own first address of the family, as its owner has wanted it.
            return anyLocal(book, pinned, target);
        }
        throw new RdmaException(
                RdmaError.NETWORK_UNREACHABLE, "no device leads to " + target.getHostAddress() + devicesOf(book));
    }

    private static boolean reaches(Device device, InetAddress target) {
        try {
            return device.call(() -> device.provider().reaches(target));
        } catch (RdmaException going) {
            return false;
        }
    }

    private static InetAddress anyLocal(AddressBook book, Device pinned, InetAddress family) throws RdmaException {
        for (Device device : book.devices()) {
            if (pinned == null || pinned == device) {
                for (InetAddress address : device.addresses()) {
                    if (AddressKey.sameFamily(address, family)) {
                        return address;
                    }
                }
            }
        }
        throw new RdmaException(
                RdmaError.NETWORK_UNREACHABLE,
                "no device has an address of the family of " + family.getHostAddress() + devicesOf(book));
    }

    private static String devicesOf(AddressBook book) {
        if (book.devices().isEmpty()) {
            return "; there is no device at all: install or configure a provider";
        }
        StringBuilder text = new StringBuilder("; devices:");
        for (Device device : book.devices()) {
            text.append(' ')
                    .append(device.name())
                    .append(' ')
                    .append(device.addresses().stream()
                            .map(InetAddress::getHostAddress)
                            .toList());
        }
        return text.toString();
    }
}
