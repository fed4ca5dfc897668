package org.verbena.rdma.provider.disni.connection;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import org.verbena.rdma.disni.ConnectionNatives;

/** Writes and reads addresses as natives know them. */
final class SocketAddresses {
    private static final int IPV4 = 4;
    private static final int IPV6 = 6;
    private static final int PORT = 2;
    private static final int SCOPE = 4;
    private static final int ADDRESS = 8;
    private static final int PORT_MASK = 0xFFFF;

    private SocketAddresses() {}

    static byte[] write(InetSocketAddress address) {
        ByteBuffer record = ByteBuffer.allocate(ConnectionNatives.ADDRESS_BYTES);
        InetAddress host = address.getAddress();
        record.put(0, (byte) (host instanceof Inet4Address ? IPV4 : IPV6));
        record.putShort(PORT, (short) address.getPort());
        if (host instanceof Inet6Address scoped) {
            record.putInt(SCOPE, scoped.getScopeId());
        }
        record.position(ADDRESS).put(host.getAddress());
        return record.array();
    }

    /** Returns {@code null} where there is none. */
    static InetSocketAddress read(byte[] record) {
        ByteBuffer bytes = ByteBuffer.wrap(record);
        int port = bytes.getShort(PORT) & PORT_MASK;
        int scope = bytes.getInt(SCOPE);
        try {
            return switch (record[0]) {
                case IPV4 -> new InetSocketAddress(InetAddress.getByAddress(address(bytes, 4)), port);
                case IPV6 -> new InetSocketAddress(ipv6(address(bytes, 16), scope), port);
                default -> null;
            };
        } catch (UnknownHostException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static InetAddress ipv6(byte[] address, int scope) throws UnknownHostException {
        return scope == 0 ? InetAddress.getByAddress(address) : Inet6Address.getByAddress(null, address, scope);
    }

    private static byte[] address(ByteBuffer bytes, int length) {
        byte[] address = new byte[length];
        bytes.get(ADDRESS, address);
        return address;
    }
}
