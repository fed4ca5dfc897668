/**
 * RDMAP over DDP over MPA on one connected socket, and the queue pair above it (RFC 5040, 5041, 5044). Everything here
 * happens on the loop of the connection.
 */
package org.verbena.rdma.provider.iwarp.stream;
