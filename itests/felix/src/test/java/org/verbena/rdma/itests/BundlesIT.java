// SPDX-License-Identifier: Apache-2.0
package org.verbena.rdma.itests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ops4j.pax.exam.CoreOptions.composite;

import java.util.Arrays;
import java.util.List;
import org.junit.Test;
import org.ops4j.pax.exam.Configuration;
import org.ops4j.pax.exam.Option;
import org.osgi.framework.Bundle;

/** The bundles of the reactor in one framework. */
public class BundlesIT extends FelixTestBase {

    @Configuration
    public Option[] configuration() {
        return new Option[] {
            framework(),
            logging(),
            declarativeServices(),
            gogo(),
            servlets(),
            eventAdmin(),
            healthChecks(),
            composite(REACTOR.stream().map(FelixTestBase::verbena).toArray(Option[]::new))
        };
    }

    @Test
    public void allResolveAndStart() {
        List<Bundle> bundles = Arrays.asList(context.getBundles());

        assertThat(bundles)
                .extracting(Bundle::getSymbolicName)
                .containsAll(REACTOR.stream().map(FelixTestBase::symbolicName).toList());
        assertThat(bundles)
                .filteredOn(bundle -> bundle.getHeaders().get("Fragment-Host") == null)
                .allSatisfy(bundle -> assertThat(bundle.getState())
                        .as(bundle.getSymbolicName())
                        .isEqualTo(Bundle.ACTIVE));
    }
}
