package org.verbena.rdma.provider.disni.connection;

/**
 * An id of librdmacm.
 *
 * @param handle its address
 * @param token by which its events find their target
 */
record OwnId(long handle, long token) {}
