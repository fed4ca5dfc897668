/** The ping of RDMA, for programs; people use the command {@code rdma:rping}. */
@Export
@Version("1.0.0")
package org.verbena.rdma.rping;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
