package org.verbena.rdma.core.osgi;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.verbena.rdma.core.session.CmVersion;

class ImportFloorTest {
    private static final String CM = "(osgi.wiring.package=org.verbena.rdma.cm)";

    @Test
    @DisplayName("C15: the floor is the lower bound of the requirement's range, whatever its order")
    void floor() {
        assertThat(ImportFloor.parse("(&" + CM + "(version>=1.0.0)(!(version>=2.0.0)))"))
                .isEqualTo(new CmVersion(1, 0));
        assertThat(ImportFloor.parse("(&" + CM + "(!(version>=2.0.0))(version>=1.1.0))"))
                .isEqualTo(new CmVersion(1, 1));
        assertThat(ImportFloor.parse("(&" + CM + "(version>=1.12))")).isEqualTo(new CmVersion(1, 12));
    }

    @Test
    @DisplayName("C15: without a lower bound there is no floor, and the oldest version counts")
    void noFloor() {
        assertThat(ImportFloor.parse(CM)).isNull();
        assertThat(ImportFloor.parse(null)).isNull();
        assertThat(ImportFloor.parse("(&" + CM + "(!(version>=2.0.0)))")).isNull();
        assertThat(CmVersion.OLDEST).isEqualTo(new CmVersion(1, 0));
    }
}
