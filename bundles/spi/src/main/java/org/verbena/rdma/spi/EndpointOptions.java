package org.verbena.rdma.spi;

/**
 * The options of an id that a provider has to know.
 *
 * @param typeOfService 0 to 255
 * @param ackTimeout exponent of the acknowledgement timeout, 0 to 31, or -1 where it was not set
 * @param reuseAddress whether the local address may be shared
 */
public record EndpointOptions(int typeOfService, int ackTimeout, boolean reuseAddress) {
    /** What holds when nothing was set. */
    public static final EndpointOptions DEFAULTS = new EndpointOptions(0, -1, false);
}
