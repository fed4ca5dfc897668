package org.verbena.rdma.core.address;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;

/**
 * An address for comparison: link-local IPv6 addresses compare with their scope, which {@link InetAddress#equals} leaves
 * out.
 *
 * @param address the address
 * @param scope the number of the interface for a link-local IPv6 address, else 0
 */
public record AddressKey(InetAddress address, int scope) {
    /**
     * Makes a key.
     *
     * @param address the address
     * @return its key
     */
    public static AddressKey of(InetAddress address) {
        return new AddressKey(address, needsScope(address) ? ((Inet6Address) address).getScopeId() : 0);
    }

    /**
     * Drops a scope that means nothing: the operating system gives one to each IPv6 address of an interface.
     *
     * @param address the address
     * @return the same address, with a scope only if it is link-local
     */
    public static InetAddress canonical(InetAddress address) {
        if (!(address instanceof Inet6Address) || address.isLinkLocalAddress()) {
            return address;
        }
        try {
            return InetAddress.getByAddress(address.getAddress());
        } catch (UnknownHostException e) {
            throw new AssertionError("an address of 16 bytes is one", e);
        }
    }

    /**
     * Refuses a link-local address that does not say on which link.
     *
     * @param address the address
     * @throws RdmaException with INVALID_ARGUMENT if its scope is missing
     */
    public static void requireScope(InetAddress address) throws RdmaException {
        if (needsScope(address) && ((Inet6Address) address).getScopeId() == 0) {
            throw new RdmaException(
                    RdmaError.INVALID_ARGUMENT,
                    "link-local address " + address.getHostAddress() + " needs a scope: add %interface");
        }
    }

    /**
     * Tells whether two addresses are of the same family.
     *
     * @param one an address
     * @param other another
     * @return {@code true} if both are IPv4 or both IPv6
     */
    public static boolean sameFamily(InetAddress one, InetAddress other) {
        return one.getAddress().length == other.getAddress().length;
    }

    private static boolean needsScope(InetAddress address) {
        return address instanceof Inet6Address && address.isLinkLocalAddress();
    }
}
