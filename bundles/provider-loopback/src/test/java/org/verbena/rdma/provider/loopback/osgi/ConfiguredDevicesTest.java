package org.verbena.rdma.provider.loopback.osgi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Dictionary;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.osgi.service.cm.ConfigurationException;
import org.verbena.rdma.DeviceAttributes;
import org.verbena.rdma.DeviceCapability;
import org.verbena.rdma.LinkState;
import org.verbena.rdma.PrivateDataCarrier;
import org.verbena.rdma.provider.loopback.fake.Core;
import org.verbena.rdma.spi.ProviderDevice;

class ConfiguredDevicesTest {
    private static final String PID = DeviceProperties.PID;

    private final Core core = new Core();
    private final ConfiguredDevices devices = new ConfiguredDevices(core.network());

    private static Dictionary<String, Object> properties(Map<String, Object> values) {
        return new Hashtable<>(values);
    }

    private ProviderDevice only() {
        assertThat(core.registry().devices()).hasSize(1);
        return core.registry().devices().get(0);
    }

    @Test
    void makesADevice() throws Exception {
        devices.updated(
                PID + "~lo0", properties(Map.of("addresses", new String[] {"198.18.0.1", " 100::1 "}, "link", "DOWN")));
        assertThat(only().name()).isEqualTo("lo0");
        assertThat(only().addresses()).containsExactly(Core.address("198.18.0.1"), Core.address("100::1"));
        assertThat(only().linkState()).isEqualTo(LinkState.DOWN);
        assertThat(core.registry().ranking()).isZero();
        devices.deleted(PID + "~lo0");
        assertThat(core.registry().devices()).isEmpty();
        devices.deleted(PID + "~lo0");
    }

    @Test
    void readsLimitsAlsoFromText() throws Exception {
        devices.updated(
                PID + "~1",
                properties(Map.ofEntries(
                        Map.entry("name", "named"),
                        Map.entry("addresses", "198.18.0.1,198.18.0.2"),
                        Map.entry("service.ranking", "-5"),
                        Map.entry("private.data.padded", "true"),
                        Map.entry("private.data.request", 10),
                        Map.entry("private.data.reply", "20"),
                        Map.entry("private.data.reject", 30L),
                        Map.entry("max.queue.pairs", 3),
                        Map.entry("max.work.requests", 4),
                        Map.entry("max.segments", 5),
                        Map.entry("max.completion.queue.entries", 6),
                        Map.entry("max.message.size", 7L),
                        Map.entry("max.inline.data", 8),
                        Map.entry("max.responder.resources", 9),
                        Map.entry("max.initiator.depth", 10),
                        Map.entry("timewait", 100))));
        DeviceAttributes attributes = only().attributes();
        assertThat(only().name()).isEqualTo("named");
        assertThat(only().addresses()).hasSize(2);
        assertThat(core.registry().ranking()).isEqualTo(-5);
        assertThat(attributes.padsPrivateData()).isTrue();
        assertThat(attributes.maxPrivateData(PrivateDataCarrier.REQUEST)).isEqualTo(10);
        assertThat(attributes.maxPrivateData(PrivateDataCarrier.REPLY)).isEqualTo(20);
        assertThat(attributes.maxPrivateData(PrivateDataCarrier.REJECT)).isEqualTo(30);
        assertThat(attributes.maxQueuePairs()).isEqualTo(3);
        assertThat(attributes.maxWorkRequests()).isEqualTo(4);
        assertThat(attributes.maxSegments()).isEqualTo(5);
        assertThat(attributes.maxCompletionQueueEntries()).isEqualTo(6);
        assertThat(attributes.maxMessageSize()).isEqualTo(7);
        assertThat(attributes.maxInlineData()).isEqualTo(8);
        assertThat(attributes.maxResponderResources()).isEqualTo(9);
        assertThat(attributes.maxInitiatorDepth()).isEqualTo(10);
        assertThat(attributes.supports(DeviceCapability.TIMEWAIT)).isTrue();
    }

    @Test
    void changesAddressesAndLinkWhileTheDeviceLives() throws Exception {
        devices.updated(PID + "~lo0", properties(Map.of("addresses", List.of("198.18.0.1"))));
        ProviderDevice device = only();
        device.open(core.deviceUpcalls());
        devices.updated(PID + "~lo0", properties(Map.of("addresses", List.of("198.18.0.2"), "link", "down")));
        core.upcalls().runAll();
        assertThat(only()).isSameAs(device);
        assertThat(device.addresses()).containsExactly(Core.address("198.18.0.2"));
        assertThat(core.deviceEvents()).containsExactly("addressesChanged", "linkChanged");
        devices.updated(PID + "~lo0", properties(Map.of("addresses", List.of("198.18.0.2"), "link", "down")));
        core.upcalls().runAll();
        assertThat(core.deviceEvents()).hasSize(2);
    }

    @Test
    void replacesTheDeviceWhenItsLimitsChange() throws Exception {
        devices.updated(PID + "~lo0", properties(Map.of("addresses", "198.18.0.1")));
        ProviderDevice device = only();
        devices.updated(PID + "~lo0", properties(Map.of("addresses", "198.18.0.1", "max.segments", 1)));
        assertThat(only()).isNotSameAs(device);
        assertThat(only().attributes().maxSegments()).isEqualTo(1);
    }

    @Test
    void refusesANameThatIsTaken() throws Exception {
        devices.updated(PID + "~lo0", properties(Map.of("addresses", "198.18.0.1")));
        assertThatThrownBy(() ->
                        devices.updated(PID + "~other", properties(Map.of("name", "lo0", "addresses", "198.18.0.2"))))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("lo0");
        only();
    }

    @ParameterizedTest
    @CsvSource({
        "addresses, 127.0.0.1, real network",
        "addresses, localhost, no IPv4 or IPv6",
        "addresses, 198.18.0.256, no IPv4 or IPv6",
        "name, a b, without spaces",
        "link, sideways, neither up nor down",
        "max.segments, many, no whole number",
        "max.segments, 0, not in",
        "max.initiator.depth, 255, not in 0 to 254",
        "timeout.connect, 0, not in"
    })
    void saysWhatIsWrong(String property, String value, String message) {
        assertThatThrownBy(() -> devices.updated(PID + "~lo0", properties(Map.of(property, value))))
                .isInstanceOfSatisfying(ConfigurationException.class, e -> assertThat(e.getProperty())
                        .isEqualTo(property))
                .hasMessageContaining(message);
        assertThat(core.registry().devices()).isEmpty();
    }
}
