/** The ping of RDMA and measurements, for programs; people use the commands {@code rdma:rping} and {@code rdma:perf}. */
@Export
@Version("1.0.0")
package org.verbena.rdma.rping;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
