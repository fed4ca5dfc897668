package org.verbena.rdma.cm;

/** The name space that a port number lives in ({@code rdma_create_id(3)}). */
public enum PortSpace {
    /** Reliable connections. */
    TCP(0x0106),
    /** Datagrams. */
    UDP(0x0111),
    /** Any InfiniBand service. */
    IB(0x013F),
    /** IP over InfiniBand. */
    IPOIB(0x0002);

    private final int number;

    PortSpace(int number) {
        this.number = number;
    }

    /**
     * Returns the number of the port space, the upper half of an InfiniBand service id.
     *
     * @return 16 bits
     */
    public int number() {
        return number;
    }
}
