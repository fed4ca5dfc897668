package org.verbena.rdma.provider.iwarp.activation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Method;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.Dictionary;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.osgi.service.cm.ConfigurationException;
import org.verbena.rdma.provider.iwarp.mpa.CrcPolicy;

class DeviceConfigurationTest {
    private static DeviceConfiguration read(Map<String, ?> properties) throws ConfigurationException {
        return DeviceConfiguration.read(new Hashtable<>(properties));
    }

    @Test
    @DisplayName("what is not set has the default that metatype shows")
    void defaults() throws Exception {
        Dictionary<String, Object> shown = new Hashtable<>();
        for (Method method : Configuration.class.getDeclaredMethods()) {
            String key = method.getName().replace("$", "").replace("_", ".");
            shown.put(key, method.getDefaultValue());
        }

        assertThat(DeviceConfiguration.read(shown)).isEqualTo(DeviceConfiguration.defaults());
    }

    @Test
    @DisplayName(
            "as it comes, peer-to-peer set-up is asked for: without it a server that sends first would wait for ever")
    void serversMaySendFirst() {
        assertThat(DeviceConfiguration.defaults().settings().mpa().peerToPeer()).isTrue();
    }

    @Test
    @DisplayName("what is set holds, as text or as number")
    void set() throws Exception {
        DeviceConfiguration configuration = read(Map.of(
                "name",
                "fast",
                "interface",
                "eth*",
                "addresses",
                new String[] {"192.0.2.1", "2001:db8::1"},
                "crc",
                "off",
                "revision",
                1,
                "peerToPeer",
                "false",
                "replyTimeout",
                "1234",
                "loopThreads",
                3L,
                "maxReads",
                (short) 7,
                "service.ranking",
                -5));

        assertThat(configuration.name()).isEqualTo("fast");
        assertThat(configuration.interfacePattern()).isEqualTo("eth*");
        assertThat(configuration.addresses())
                .containsExactly(InetAddress.getByName("192.0.2.1"), InetAddress.getByName("2001:db8::1"));
        assertThat(configuration.ranking()).isEqualTo(-5);
        assertThat(configuration.settings().mpa().crc()).isEqualTo(CrcPolicy.OFF);
        assertThat(configuration.settings().mpa().revision()).isEqualTo(1);
        assertThat(configuration.settings().mpa().peerToPeer()).isFalse();
        assertThat(configuration.settings().mpa().replyTimeout()).isEqualTo(Duration.ofMillis(1234));
        assertThat(configuration.settings().mpa().maxDepth()).isEqualTo(7);
        assertThat(configuration.settings().loopThreads()).isEqualTo(3);
    }

    @Test
    @DisplayName("addresses may be an array, a list, or text with commas")
    void addresses() throws Exception {
        List<InetAddress> both = List.of(InetAddress.getByName("127.0.0.1"), InetAddress.getByName("::1"));

        assertThat(read(Map.of("addresses", "127.0.0.1, ::1")).addresses()).isEqualTo(both);
        assertThat(read(Map.of("addresses", Arrays.asList("127.0.0.1", "::1"))).addresses())
                .isEqualTo(both);
        assertThat(read(Map.of("addresses", new String[] {"127.0.0.1", "::1"})).addresses())
                .isEqualTo(both);
    }

    @ParameterizedTest(name = "{0} = {1} is refused by its key")
    @CsvSource({
        "crc,maybe",
        "revision,0",
        "revision,3",
        "revision,two",
        "maxReads,129",
        "maxReads,-1",
        "replyTimeout,0",
        "requestTimeout,-5",
        "segmentSize,100",
        "segmentSize,70000",
        "loopThreads,-1",
        "maxPrivateData,509",
        "addresses,example.org",
        "addresses,300.1.1.1",
        "name,two words",
        "maxHandshakes,0",
        "maxQueuePairs,0"
    })
    void refused(String key, String value) {
        assertThatThrownBy(() -> read(Map.of(key, value)))
                .isInstanceOfSatisfying(ConfigurationException.class, e -> assertThat(e.getProperty())
                        .isEqualTo(key));
    }
}
