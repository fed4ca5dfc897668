package org.verbena.rdma.benchmarks.iwarp;

/** Two ends that are connected with each other. */
record Connection(End client, End server) {}
