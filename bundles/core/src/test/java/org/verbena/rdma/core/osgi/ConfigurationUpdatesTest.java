package org.verbena.rdma.core.osgi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Hashtable;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.osgi.service.cm.ConfigurationException;
import org.verbena.rdma.core.CoreConfiguration;

class ConfigurationUpdatesTest {
    @Test
    @DisplayName("Nothing set means the defaults, and the metatype shows the same ones under the same keys")
    void defaults() throws Exception {
        assertThat(ConfigurationUpdates.read(new Hashtable<>())).isEqualTo(CoreConfiguration.DEFAULTS);
        Hashtable<String, Object> shown = new Hashtable<>();
        for (var attribute : CoreSettings.class.getDeclaredMethods()) {
            shown.put(attribute.getName().replace('_', '.'), attribute.getDefaultValue());
        }
        assertThat(shown).hasSize(6);
        assertThat(ConfigurationUpdates.read(shown)).isEqualTo(CoreConfiguration.DEFAULTS);
    }

    @Test
    @DisplayName("A value that is no number, or out of range, is refused by its key")
    void badValues() {
        for (String bad : Arrays.asList("soon", "0", "-1", "99999999999999999999")) {
            assertThatThrownBy(() -> ConfigurationUpdates.read(new Hashtable<>(Map.of("removal.deadline.ms", bad))))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("removal.deadline.ms");
        }
    }
}
