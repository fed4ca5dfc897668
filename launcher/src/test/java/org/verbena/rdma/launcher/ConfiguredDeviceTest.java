package org.verbena.rdma.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class ConfiguredDeviceTest {
    private final ConfiguredDevice.Converter converter = new ConfiguredDevice.Converter();

    @Test
    void hasAProviderANameAndAddresses() {
        ConfiguredDevice device = converter.convert("iwarp:veth0=10.0.0.1,fd07::1,fe80::1%veth0");

        assertThat(device.factoryPid()).isEqualTo("org.verbena.rdma.provider.iwarp");
        assertThat(device.properties().get("name")).isEqualTo("veth0");
        assertThat((String[]) device.properties().get("addresses"))
                .containsExactly("10.0.0.1", "fd07::1", "fe80::1%veth0");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "eth0",
                "iwarp:eth0",
                "iwarp:eth0=",
                "iwarp:=10.0.0.1",
                "eth0=10.0.0.1",
                "iwarp:a=10.0.0.1,",
                "iwarp:a=10.0.0.1,,10.0.0.2",
                "iwarp:a b=10.0.0.1"
            })
    void refusesWhatIsNotOfThatForm(String text) {
        assertThatThrownBy(() -> converter.convert(text))
                .isInstanceOf(TypeConversionException.class)
                .hasMessageContaining("PROVIDER:NAME=ADDRESS");
    }
}
