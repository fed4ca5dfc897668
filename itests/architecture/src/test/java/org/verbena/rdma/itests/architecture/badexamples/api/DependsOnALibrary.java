// SPDX-License-Identifier: Apache-2.0
package org.verbena.rdma.itests.architecture.badexamples.api;

import org.slf4j.Logger;

/** Needs more than the JDK, which neither api nor spi may. */
public interface DependsOnALibrary {
    Logger logger();
}
