package org.verbena.rdma.provider.disni.natives;

import org.verbena.rdma.disni.ConnectionNatives;
import org.verbena.rdma.disni.VerbsNatives;

/**
 * What is called below the provider: libdisni, or what stands for it.
 *
 * @param verbs libibverbs
 * @param connections librdmacm
 */
public record Natives(VerbsNatives verbs, ConnectionNatives connections) {}
