/** What Java Flight Recorder is told of connections. */
package org.verbena.rdma.provider.iwarp.recording;
