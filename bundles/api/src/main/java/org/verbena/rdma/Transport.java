package org.verbena.rdma;

/** How a device talks to its peer. */
public enum Transport {
    /** Within one Java virtual machine. */
    LOOPBACK("loopback"),
    /** iWARP: RDMAP over DDP over MPA over TCP (RFC 5040, 5041, 5044, 6581). */
    IWARP("iwarp"),
    /** RDMA over Converged Ethernet (InfiniBand Architecture, annexes A16 and A17). */
    ROCE("roce"),
    /** InfiniBand (InfiniBand Architecture, volume 1). */
    INFINIBAND("infiniband"),
    /** Something else, which the name of the provider tells. */
    OTHER("other");

    private final String propertyValue;

    Transport(String propertyValue) {
        this.propertyValue = propertyValue;
    }

    /**
     * Returns the value of the service property {@link RdmaDevice#TRANSPORT}.
     *
     * @return a lower case word
     */
    public String propertyValue() {
        return propertyValue;
    }
}
