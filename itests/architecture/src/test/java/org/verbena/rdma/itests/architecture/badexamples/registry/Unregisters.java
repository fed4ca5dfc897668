// SPDX-License-Identifier: Apache-2.0
package org.verbena.rdma.itests.architecture.badexamples.registry;

import org.osgi.framework.ServiceRegistration;

/** Talks to the registry, which is for the osgi package alone. */
public class Unregisters {
    public void end(ServiceRegistration<?> registration) {
        registration.unregister();
    }
}
