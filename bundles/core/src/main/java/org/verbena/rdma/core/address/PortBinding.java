package org.verbena.rdma.core.address;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.verbena.rdma.cm.PortSpace;

/**
 * A port that an id holds at an address. The changing fields are guarded by the {@link PortTable} that made it.
 */
public final class PortBinding {
    private final PortSpace portSpace;
    private final InetAddress address;
    private final int port;
    private final boolean automatic;
    private final String holder;
    private boolean reuse;
    private boolean familyOnly;
    private boolean listening;

    PortBinding(PortSpace portSpace, InetAddress address, int port, boolean automatic, Sharing sharing, String holder) {
        this.portSpace = portSpace;
        this.address = address;
        this.port = port;
        this.automatic = automatic;
        this.reuse = sharing.reuse();
        this.familyOnly = sharing.familyOnly();
        this.holder = holder;
    }

    /**
     * How a port may be shared.
     *
     * @param reuse whether others that allow it too may bind it
     * @param familyOnly whether an IPv6 wildcard leaves IPv4 alone
     */
    public record Sharing(boolean reuse, boolean familyOnly) {}

    /**
     * Returns where the port lives.
     *
     * @return the port space
     */
    public PortSpace portSpace() {
        return portSpace;
    }

    /**
     * Returns the address.
     *
     * @return the address, a wildcard for all
     */
    public InetAddress address() {
        return address;
    }

    /**
     * Returns the port.
     *
     * @return 1 to 65535
     */
    public int port() {
        return port;
    }

    /**
     * Returns both.
     *
     * @return address and port
     */
    public InetSocketAddress socketAddress() {
        return new InetSocketAddress(address, port);
    }

    /**
     * Tells whether core has chosen the port.
     *
     * @return {@code true} if another would do as well
     */
    public boolean isAutomatic() {
        return automatic;
    }

    /**
     * Returns who holds it.
     *
     * @return the symbolic name of a bundle
     */
    public String holder() {
        return holder;
    }

    boolean isListening() {
        return listening;
    }

    void setListening(boolean now) {
        listening = now;
    }

    void share(Sharing sharing) {
        reuse = sharing.reuse();
        familyOnly = sharing.familyOnly();
    }

    Sharing sharing() {
        return new Sharing(reuse, familyOnly);
    }

    boolean isWildcard() {
        return address.isAnyLocalAddress();
    }

    /** Whether the two cover an address in common. */
    boolean overlaps(PortBinding other) {
        if (!isWildcard() && !other.isWildcard()) {
            return AddressKey.of(address).equals(AddressKey.of(other.address));
        }
        return coversFamilyOf(other) || other.coversFamilyOf(this);
    }

    private boolean coversFamilyOf(PortBinding other) {
        if (!isWildcard()) {
            return false;
        }
        boolean same = AddressKey.sameFamily(address, other.address);
        return same || address instanceof Inet6Address && !familyOnly;
    }

    boolean mayShareWith(PortBinding other) {
        return reuse && other.reuse && !(listening && other.listening);
    }
}
