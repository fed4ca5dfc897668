/**
 * The iWARP provider beside others on TCP over 127.0.0.1: what consumers get through core, compared with raw NIO, Netty,
 * and the C programs {@code ucx_perftest} and {@code fi_pingpong}.
 */
package org.verbena.rdma.benchmarks.iwarp;
