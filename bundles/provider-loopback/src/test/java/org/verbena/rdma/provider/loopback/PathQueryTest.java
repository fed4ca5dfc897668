package org.verbena.rdma.provider.loopback;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.verbena.rdma.Path;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.provider.loopback.fake.Core;
import org.verbena.rdma.spi.PathUpcalls;
import org.verbena.rdma.spi.ProviderDevice;
import org.verbena.rdma.spi.ProviderPathQuery;

class PathQueryTest {
    private final Core core = new Core();
    private final List<String> told = new ArrayList<>();
    private final PathUpcalls upcalls = new PathUpcalls() {
        @Override
        public void found(Path path) {
            told.add("found " + path.destination().getHostAddress());
        }

        @Override
        public void failed(RdmaError error) {
            told.add("failed " + error);
        }
    };
    private ProviderDevice device;

    @BeforeEach
    void addDevices() throws RdmaException {
        device = core.add("one", "198.18.0.1");
        core.add("two", "198.18.0.2");
    }

    private ProviderPathQuery query(String destination) throws RdmaException {
        return device.queryPath(device.addresses().get(0), Core.address(destination), Duration.ofSeconds(5), upcalls);
    }

    @Test
    void findsAPath() throws Exception {
        query("198.18.0.2");
        assertThat(told).isEmpty();
        core.upcalls().runAll();
        assertThat(told).containsExactly("found 198.18.0.2");
    }

    @Test
    void givesUpAtTheTimeout() throws Exception {
        query("198.18.0.3");
        core.pass(Duration.ofMillis(4999));
        assertThat(told).isEmpty();
        core.pass(Duration.ofMillis(1));
        assertThat(told).containsExactly("failed TIMED_OUT");
    }

    @Test
    void knowsNoPathOutOfItsNetwork() throws Exception {
        query("192.0.2.1");
        core.upcalls().runAll();
        assertThat(told).containsExactly("failed NETWORK_UNREACHABLE");
    }

    @Test
    void tellsNothingAfterClose() throws Exception {
        query("198.18.0.2").close();
        query("198.18.0.3").close();
        core.pass(Duration.ofSeconds(5));
        assertThat(told).isEmpty();
        assertThat(core.timer().size()).isZero();
    }
}
