package org.verbena.rdma.provider.iwarp.activation;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.verbena.rdma.LinkState;

class InterfacesTest {
    private final Interfaces interfaces = new Interfaces();
    private String loopback;

    @BeforeEach
    void findLoopback() throws Exception {
        loopback = NetworkInterface.getByInetAddress(InetAddress.getByName("127.0.0.1"))
                .getName();
    }

    private Map<String, WantedDevice> wanted(Map<String, ?> properties) throws Exception {
        return interfaces.wanted(List.of(DeviceConfiguration.read(new Hashtable<>(properties))));
    }

    @Test
    @DisplayName("nothing configured: one device on the loopback interface")
    void byDefault() throws Exception {
        Map<String, WantedDevice> wanted = interfaces.wanted(List.of());

        assertThat(wanted).containsOnlyKeys("iwarp-" + loopback);
        WantedDevice device = wanted.get("iwarp-" + loopback);
        assertThat(device.state().addresses()).contains(InetAddress.getByName("127.0.0.1"));
        assertThat(device.state().link()).isEqualTo(LinkState.UP);
        assertThat(device.state().mtu()).isPositive();
    }

    @Test
    @DisplayName("an interface by name, with and without a name for the device")
    void byName() throws Exception {
        assertThat(wanted(Map.of("interface", loopback))).containsOnlyKeys("iwarp-" + loopback);
        assertThat(wanted(Map.of("interface", loopback, "name", "mine"))).containsOnlyKeys("mine");
        assertThat(wanted(Map.of("interface", "nosuch0"))).isEmpty();
    }

    @Test
    @DisplayName("a pattern makes one device for each interface that matches")
    void byPattern() throws Exception {
        assertThat(wanted(Map.of("interface", "*")).keySet())
                .contains("iwarp-" + loopback)
                .hasSize((int) NetworkInterface.networkInterfaces().count());
        assertThat(wanted(Map.of("interface", loopback.substring(0, 1) + "*", "name", "x")))
                .containsKey("x-" + loopback);
        assertThat(wanted(Map.of("interface", "?"))).doesNotContainKey("iwarp-" + loopback);
    }

    @Test
    @DisplayName("addresses alone make a device that has those of them that the machine has")
    void byAddress() throws Exception {
        Map<String, WantedDevice> wanted = wanted(Map.of("addresses", "127.0.0.1,192.0.2.1"));

        assertThat(wanted).containsOnlyKeys("iwarp-127.0.0.1");
        assertThat(wanted.get("iwarp-127.0.0.1").state().addresses())
                .containsExactly(InetAddress.getByName("127.0.0.1"));
        WantedDevice nothing = wanted(Map.of("addresses", "192.0.2.1")).get("iwarp-192.0.2.1");
        assertThat(nothing.state().addresses()).isEmpty();
        assertThat(nothing.state().link()).isEqualTo(LinkState.DOWN);
    }

    @Test
    @DisplayName("addresses restrict those of an interface")
    void restricted() throws Exception {
        WantedDevice device =
                wanted(Map.of("interface", loopback, "addresses", "127.0.0.1")).get("iwarp-" + loopback);

        assertThat(device.state().addresses()).containsExactly(InetAddress.getByName("127.0.0.1"));
    }

    @Test
    @DisplayName("neither interface nor addresses: the loopback interface, with what else is configured")
    void onlyOptions() throws Exception {
        assertThat(wanted(Map.of("crc", "off"))).containsOnlyKeys("iwarp-" + loopback);
        assertThat(wanted(Map.of("crc", "off", "name", "mine"))).containsOnlyKeys("mine");
    }
}
