package org.verbena.rdma.provider.loopback;

import java.net.InetAddress;
import java.util.List;
import org.verbena.rdma.DeviceCapability;
import org.verbena.rdma.LinkState;
import org.verbena.rdma.provider.loopback.connection.Timeouts;

/**
 * How a device is made.
 *
 * @param name a short name without spaces
 * @param ranking which of several devices that have one address serves it: the highest
 * @param addresses its addresses
 * @param linkState the state of its link at first
 * @param attributes what it takes
 * @param timeouts how long it waits
 */
public record DeviceConfiguration(
        String name,
        int ranking,
        List<InetAddress> addresses,
        LinkState linkState,
        LoopbackAttributes attributes,
        Timeouts timeouts) {
    /**
     * Checks the name and copies the addresses.
     *
     * @param name a short name without spaces
     * @param ranking which of several devices that have one address serves it: the highest
     * @param addresses its addresses
     * @param linkState the state of its link at first
     * @param attributes what it takes
     * @param timeouts how long it waits
     */
    public DeviceConfiguration {
        if (name.isBlank() || name.chars().anyMatch(Character::isWhitespace)) {
            throw new IllegalArgumentException("a device needs a name without spaces, not '" + name + "'");
        }
        addresses = List.copyOf(addresses);
    }

    /**
     * Starts with a device that is up and can do all.
     *
     * @param name a short name without spaces
     * @param addresses its addresses
     * @return a configuration
     */
    public static DeviceConfiguration of(String name, InetAddress... addresses) {
        return new DeviceConfiguration(
                name, 0, List.of(addresses), LinkState.UP, LoopbackAttributes.defaults(name), Timeouts.DEFAULTS);
    }

    /**
     * Changes the ranking.
     *
     * @param changed the new ranking
     * @return a changed copy
     */
    public DeviceConfiguration withRanking(int changed) {
        return new DeviceConfiguration(name, changed, addresses, linkState, attributes, timeouts);
    }

    /**
     * Changes the state of the link.
     *
     * @param state the state at first
     * @return a changed copy
     */
    public DeviceConfiguration withLinkState(LinkState state) {
        return new DeviceConfiguration(name, ranking, addresses, state, attributes, timeouts);
    }

    /**
     * Changes what the device takes.
     *
     * @param changed the new attributes
     * @return a changed copy
     */
    public DeviceConfiguration withAttributes(LoopbackAttributes changed) {
        return new DeviceConfiguration(name, ranking, addresses, linkState, changed, timeouts);
    }

    /**
     * Changes how long the device waits; with a time-wait it offers that capability.
     *
     * @param changed the new timeouts
     * @return a changed copy
     */
    public DeviceConfiguration withTimeouts(Timeouts changed) {
        return new DeviceConfiguration(
                name,
                ranking,
                addresses,
                linkState,
                attributes.withCapability(
                        DeviceCapability.TIMEWAIT, !changed.timewait().isZero()),
                changed);
    }
}
