package org.verbena.rdma.rping.run;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import org.verbena.rdma.rping.wire.PingData;
import org.verbena.rdma.rping.wire.PingFailedException;

/**
 * What a run is to do.
 *
 * @param role which end to be
 * @param address where the server listens, {@code null} for all addresses
 * @param source where the client comes from, {@code null} to let routing choose
 * @param port the port of the server
 * @param count how many pings, 0 for no end
 * @param size how long a ping of the client is; the longest that the server takes
 * @param printData whether to print what the pings carry
 * @param verify whether the client checks what comes back
 * @param debug whether to print each step
 * @param persistent whether the server goes on after its first client
 * @param lateQueuePair whether the client makes its queue pair only when the server has answered
 */
public record Settings(
        Role role,
        String address,
        String source,
        int port,
        int count,
        int size,
        boolean printData,
        boolean verify,
        boolean debug,
        boolean persistent,
        boolean lateQueuePair) {
    /** The two ends. */
    public enum Role {
        /** Sends pings. */
        CLIENT,
        /** Answers them. */
        SERVER,
        /** Sends pings to itself. */
        BOTH
    }

    /** The port when none is given. */
    public static final int DEFAULT_PORT = 7174;

    /** Refuses what makes no sense, so that nothing has to be undone later. */
    public Settings check() throws PingFailedException {
        if (role != Role.SERVER && address == null) {
            throw new PingFailedException("a client needs the address of its server: -a ADDRESS");
        }
        if (role == Role.SERVER && source != null) {
            throw new PingFailedException("-I is for the client; a server listens on -a ADDRESS");
        }
        if (role != Role.SERVER && persistent) {
            throw new PingFailedException("-P is for the server" + (role == Role.BOTH ? " alone" : ""));
        }
        between("port", port, role == Role.CLIENT ? 1 : 0, 65_535);
        between("size", size, PingData.MIN_SIZE, PingData.MAX_SIZE);
        between("count", count, 0, Integer.MAX_VALUE);
        return this;
    }

    /** The same for the end that prints nothing of the pings. */
    public Settings quiet() {
        return new Settings(role, address, source, port, count, size, false, verify, debug, persistent, lateQueuePair);
    }

    /** The same with the port that the server has. */
    public Settings at(int itsPort) {
        return new Settings(
                role, address, source, itsPort, count, size, printData, verify, debug, persistent, lateQueuePair);
    }

    /** Where the server is, or listens. */
    public InetSocketAddress server() throws PingFailedException {
        // Without an address the C program listens on IPv4 only; a name could not tell that apart.
        return new InetSocketAddress(resolve(address == null ? "0.0.0.0" : address), port);
    }

    /** Where the client comes from, or {@code null}. */
    public InetSocketAddress client() throws PingFailedException {
        return source == null ? null : new InetSocketAddress(resolve(source), 0);
    }

    private static InetAddress resolve(String host) throws PingFailedException {
        try {
            return InetAddress.getByName(host);
        } catch (UnknownHostException e) {
            throw new PingFailedException("there is no host or address '" + host + "'");
        }
    }

    private static void between(String what, int value, int least, int greatest) throws PingFailedException {
        if (value < least || value > greatest) {
            throw new PingFailedException(
                    greatest == Integer.MAX_VALUE
                            ? "the " + what + " must not be negative, it is " + value
                            : "the " + what + " must be " + least + " to " + greatest + ", not " + value);
        }
    }
}
