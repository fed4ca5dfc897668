package org.verbena.rdma.provider.disni.discovery;

/**
 * A device that the kernel has now.
 *
 * @param name its name
 * @param identity differs where a device of the same name came after another
 */
record PresentDevice(String name, Object identity) {}
