package org.verbena.rdma.core.address;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.cm.PortSpace;

class PortTableTest {
    private static final PortBinding.Sharing ALONE = new PortBinding.Sharing(false, false);
    private static final PortBinding.Sharing REUSE = new PortBinding.Sharing(true, false);
    private static final PortBinding.Sharing FAMILY_ONLY = new PortBinding.Sharing(false, true);

    private final PortTable table = new PortTable(new SplittableRandom(7));

    private PortBinding bind(String address, int port, PortBinding.Sharing sharing) throws Exception {
        return table.bind(PortSpace.TCP, InetAddress.getByName(address), port, sharing, "holder");
    }

    private void refused(String address, int port, PortBinding.Sharing sharing, RdmaError error) {
        assertThatThrownBy(() -> bind(address, port, sharing))
                .isInstanceOfSatisfying(RdmaException.class, refused -> assertThat(refused.error())
                        .isEqualTo(error))
                .hasMessageContaining("port " + port)
                .hasMessageContaining("holder");
    }

    @Test
    @DisplayName("Equal addresses conflict as ADDRESS_IN_USE, a wildcard as ADDRESS_NOT_AVAILABLE, others not at all")
    void conflicts() throws Exception {
        PortBinding first = bind("10.0.0.1", 7174, ALONE);
        refused("10.0.0.1", 7174, ALONE, RdmaError.ADDRESS_IN_USE);
        refused("0.0.0.0", 7174, ALONE, RdmaError.ADDRESS_NOT_AVAILABLE);
        refused("::", 7174, ALONE, RdmaError.ADDRESS_NOT_AVAILABLE);
        bind("10.0.0.2", 7174, ALONE);
        bind("::", 7174, FAMILY_ONLY);
        table.bind(PortSpace.UDP, InetAddress.getByName("10.0.0.1"), 7174, ALONE, "other port space");
        table.release(first);
        table.release(first);
        bind("10.0.0.1", 7174, ALONE);
    }

    @Test
    @DisplayName("Link-local addresses conflict within their scope only")
    void scopes() throws Exception {
        bind("fe80::1%1", 7174, ALONE);
        bind("fe80::1%2", 7174, ALONE);
        refused("fe80::1%1", 7174, ALONE, RdmaError.ADDRESS_IN_USE);
    }

    @Test
    @DisplayName("Those that all allow reuse share a port, and at most one of them listens")
    void reuse() throws Exception {
        PortBinding one = bind("10.0.0.1", 7174, REUSE);
        PortBinding two = bind("10.0.0.1", 7174, REUSE);
        refused("10.0.0.1", 7174, ALONE, RdmaError.ADDRESS_IN_USE);
        table.listen(one);
        assertThatThrownBy(() -> table.listen(two)).isInstanceOf(RdmaException.class);
        table.unlisten(one);
        assertThatCode(() -> table.listen(two)).doesNotThrowAnyException();
    }

    @Test
    @DisplayName("Free ports come from the ephemeral range, each once, and never the last one again")
    void automatic() throws Exception {
        Set<Integer> ports = new HashSet<>();
        for (int i = 0; i < 1_000; i++) {
            PortBinding binding = bind("0.0.0.0", 0, ALONE);
            assertThat(binding.isAutomatic()).isTrue();
            assertThat(binding.port()).isBetween(PortTable.FIRST_AUTOMATIC, PortTable.LAST_AUTOMATIC);
            assertThat(ports.add(binding.port())).isTrue();
        }
        PortTable stubborn = new PortTable(new java.util.Random(7) {
            @Override
            public int nextInt(int bound) {
                return 5;
            }
        });
        PortBinding last = stubborn.bind(PortSpace.TCP, InetAddress.getByName("0.0.0.0"), 0, ALONE, "holder");
        stubborn.release(last);
        assertThat(stubborn.bind(PortSpace.TCP, InetAddress.getByName("0.0.0.0"), 0, ALONE, "holder")
                        .port())
                .isNotEqualTo(last.port());
    }
}
