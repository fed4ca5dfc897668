// SPDX-License-Identifier: Apache-2.0
package org.verbena.rdma.itests.architecture.badexamples.dispatch;

import org.osgi.framework.Bundle;

/** Cannot be tested without a framework's types, as nothing in dispatch and guard may be. */
public class KnowsOsgi {
    public String nameOf(Bundle consumer) {
        return consumer.getSymbolicName();
    }
}
