package org.verbena.rdma.provider.iwarp.activation;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.verbena.rdma.LinkState;
import org.verbena.rdma.provider.iwarp.device.InterfaceState;

/** Looks at the network interfaces of the machine, and says which devices configurations make of them. Has no state. */
final class Interfaces implements DeviceSource {
    private static final Logger LOG = LoggerFactory.getLogger(Interfaces.class);
    private static final String PREFIX = "iwarp-";
    private static final int MAC_BYTES = 6;

    /** Without a configuration it is one device, on the loopback interface. */
    @Override
    public Map<String, WantedDevice> wanted(Collection<DeviceConfiguration> configurations) throws SocketException {
        List<NetworkInterface> interfaces = NetworkInterface.networkInterfaces().toList();
        Map<String, WantedDevice> wanted = new LinkedHashMap<>();
        if (configurations.isEmpty()) {
            onLoopback(DeviceConfiguration.defaults(), interfaces, wanted);
        }
        for (DeviceConfiguration configuration : configurations) {
            if (!configuration.interfacePattern().isEmpty()) {
                onInterfaces(configuration, interfaces, wanted);
            } else if (!configuration.addresses().isEmpty()) {
                onAddresses(configuration, interfaces, wanted);
            } else {
                onLoopback(configuration, interfaces, wanted);
            }
        }
        return wanted;
    }

    private static void onLoopback(
            DeviceConfiguration configuration, List<NetworkInterface> interfaces, Map<String, WantedDevice> wanted)
            throws SocketException {
        for (NetworkInterface loopback : interfaces) {
            if (loopback.isLoopback()) {
                String name = configuration.name().isEmpty() ? PREFIX + loopback.getName() : configuration.name();
                InterfaceState state = state(loopback, InetAddress::isLoopbackAddress);
                put(wanted, new WantedDevice(name, configuration, 0, state));
                return;
            }
        }
        LOG.warn("There is no loopback interface to make a device of");
    }

    private static void onInterfaces(
            DeviceConfiguration configuration, List<NetworkInterface> interfaces, Map<String, WantedDevice> wanted)
            throws SocketException {
        String glob = configuration.interfacePattern();
        Pattern pattern = Pattern.compile(glob.chars()
                .mapToObj(c -> c == '*' ? ".*" : c == '?' ? "." : Pattern.quote(Character.toString(c)))
                .collect(Collectors.joining()));
        boolean several = glob.contains("*") || glob.contains("?");
        for (NetworkInterface candidate : interfaces) {
            if (pattern.matcher(candidate.getName()).matches()) {
                String name = configuration.name().isEmpty()
                        ? PREFIX + candidate.getName()
                        : several ? configuration.name() + "-" + candidate.getName() : configuration.name();
                List<InetAddress> only = configuration.addresses();
                InterfaceState state = state(candidate, address -> only.isEmpty() || only.contains(address));
                put(wanted, new WantedDevice(name, configuration, guid(candidate), state));
            }
        }
    }

    private static void onAddresses(
            DeviceConfiguration configuration, List<NetworkInterface> interfaces, Map<String, WantedDevice> wanted)
            throws SocketException {
        List<InetAddress> present = new ArrayList<>();
        LinkState link = LinkState.DOWN;
        int mtu = 0;
        for (NetworkInterface candidate : interfaces) {
            InterfaceState state = state(candidate, configuration.addresses()::contains);
            if (!state.addresses().isEmpty()) {
                present.addAll(state.addresses());
                link = state.link() == LinkState.UP ? LinkState.UP : link;
                mtu = mtu == 0 ? state.mtu() : Math.min(mtu, state.mtu());
            }
        }
        String first = configuration.addresses().get(0).getHostAddress();
        String name = configuration.name().isEmpty() ? PREFIX + first : configuration.name();
        put(wanted, new WantedDevice(name, configuration, 0, new InterfaceState(present, link, mtu)));
    }

    private static void put(Map<String, WantedDevice> wanted, WantedDevice device) {
        if (wanted.putIfAbsent(device.name(), device) != null) {
            LOG.warn("Two configurations ask for a device named {}; the first one has it", device.name());
        }
    }

    private static InterfaceState state(NetworkInterface network, Predicate<InetAddress> filter)
            throws SocketException {
        List<InetAddress> addresses = network.inetAddresses().filter(filter).toList();
        return new InterfaceState(addresses, network.isUp() ? LinkState.UP : LinkState.DOWN, network.getMTU());
    }

    /** The EUI-64 that a MAC address stands for. */
    private static long guid(NetworkInterface network) throws SocketException {
        byte[] mac = network.getHardwareAddress();
        if (mac == null || mac.length != MAC_BYTES) {
            return 0;
        }
        ByteBuffer eui = ByteBuffer.allocate(Long.BYTES);
        eui.put((byte) (mac[0] ^ 2)).put(mac[1]).put(mac[2]);
        eui.put((byte) 0xFF).put((byte) 0xFE);
        eui.put(mac[3]).put(mac[4]).put(mac[5]);
        return eui.getLong(0);
    }
}
