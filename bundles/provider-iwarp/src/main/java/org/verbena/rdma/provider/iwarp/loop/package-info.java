/** The threads that do the device's work, and what they promise to the others: see {@code EventLoop}. */
package org.verbena.rdma.provider.iwarp.loop;
