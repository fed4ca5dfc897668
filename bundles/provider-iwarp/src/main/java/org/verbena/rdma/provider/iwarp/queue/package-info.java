/** The rings between the threads of consumers and the loops: send queue, receive queues, completion queue. */
package org.verbena.rdma.provider.iwarp.queue;
