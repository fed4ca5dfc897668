// SPDX-License-Identifier: Apache-2.0
package org.verbena.rdma.itests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.verbena.rdma.itests.fixture.Services.eventually;

import java.util.Dictionary;
import java.util.HashMap;
import java.util.Hashtable;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.Before;
import org.junit.Test;
import org.ops4j.pax.exam.Configuration;
import org.ops4j.pax.exam.Option;
import org.osgi.framework.BundleException;
import org.osgi.framework.ServiceRegistration;
import org.verbena.rdma.monitor.ConsumerSnapshot;
import org.verbena.rdma.monitor.Monitor;

/** Sessions: one per component that asks for its own, one per bundle otherwise. */
public class SessionsIT extends DeviceTestBase {
    private static final String ALIVE = "id alive, domain open";
    private static final String ENDED = "id destroyed, domain closed";

    private final Map<String, ServiceRegistration<Runnable>> switches = new HashMap<>();
    private final Map<String, Supplier<?>> holders = new HashMap<>();

    @Configuration
    public Option[] configuration() {
        return new Option[] {platform(), component("holders", "sessions")};
    }

    @Before
    public void startHolders() throws BundleException {
        loopback.plug("lo1", "198.18.0.1");
        for (String name : new String[] {"own-1", "own-2", "shared-1", "shared-2"}) {
            Dictionary<String, Object> properties = new Hashtable<>();
            properties.put("switch", name);
            switches.put(name, context.registerService(Runnable.class, () -> {}, properties));
        }
        start("holders");
        for (String name : switches.keySet()) {
            holders.put(name, (Supplier<?>) services.get(Supplier.class.getName(), "(holder=" + name + ")"));
        }
    }

    @Test
    public void aComponentHasASessionOfItsOwnIfItAsks() {
        // For each of the two services: one session for each that asks, and one for the others together.
        assertThat(consumer().sessions()).isEqualTo(6);
        assertThat(consumer().ids()).isEqualTo(4);
        assertThat(consumer().verbsObjects()).isEqualTo(4);
    }

    @Test
    public void C12_whatAComponentMadeGoesWithItsSessionAndNothingElse() {
        switches.get("own-1").unregister();

        assertThat(holders.get("own-1").get()).isEqualTo(ENDED);
        assertThat(holders.get("own-2").get()).isEqualTo(ALIVE);
        assertThat(holders.get("shared-1").get()).isEqualTo(ALIVE);
        assertThat(consumer().sessions()).isEqualTo(4);
    }

    @Test
    public void C12_aSharedSessionEndsWithTheLastThatSharesIt() {
        switches.get("shared-1").unregister();
        assertThat(holders.get("shared-1").get()).isEqualTo(ALIVE);
        assertThat(holders.get("shared-2").get()).isEqualTo(ALIVE);

        switches.get("shared-2").unregister();
        assertThat(holders.get("shared-1").get()).isEqualTo(ENDED);
        assertThat(holders.get("shared-2").get()).isEqualTo(ENDED);
        assertThat(holders.get("own-1").get()).isEqualTo(ALIVE);
    }

    @Test
    public void C12_whenTheBundleHasStoppedEverythingIsGone() throws BundleException {
        assertThat(loopback.faults().device("lo1").<Integer>call("open")).isEqualTo(1 + 4);

        stop("holders");

        assertThat(holders)
                .allSatisfy((name, holder) -> assertThat(holder.get()).isEqualTo(ENDED));
        assertThat(loopback.faults().device("lo1").<Integer>call("open")).isEqualTo(1);
        Monitor monitor = context.getService(context.getServiceReference(Monitor.class));
        assertThat(monitor.snapshot().consumers()).isEmpty();
    }

    @Test
    public void C12_theSessionsOfARestartedBundleAreNew() throws BundleException {
        stop("holders");
        start("holders");

        eventually().until(() -> consumer().ids() == 4);
        assertThat(services.get(Supplier.class.getName(), "(holder=own-1)"))
                .isNotSameAs(holders.get("own-1"))
                .satisfies(holder -> assertThat(((Supplier<?>) holder).get()).isEqualTo(ALIVE));
        assertThat(holders.get("own-1").get()).isEqualTo(ENDED);
    }

    private ConsumerSnapshot consumer() {
        Monitor monitor = context.getService(context.getServiceReference(Monitor.class));
        return monitor.snapshot().consumers().stream()
                .filter(consumer -> consumer.bundle().equals("holders"))
                .findFirst()
                .orElseThrow();
    }
}
