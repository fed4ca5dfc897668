package org.verbena.rdma.console.view;

import java.util.List;
import java.util.Map;
import org.verbena.rdma.monitor.DeviceSnapshot;
import org.verbena.rdma.monitor.Traffic;

/**
 * A device on the page.
 *
 * @param device the device
 * @param traffic what has gone through it since it was opened, {@code null} if its provider does not count
 * @param links who its connections lead to, most first
 * @param linksLeftOut how many more there are
 * @param users the bundles that have ids on it, and how many
 */
public record DeviceView(
        DeviceSnapshot device, Traffic traffic, List<Link> links, int linksLeftOut, Map<String, Integer> users) {
    /**
     * Where connections of a device lead to.
     *
     * @param to the name of a device of this platform, or else the address of the peer
     * @param here whether it is a device of this platform
     * @param connections how many
     */
    public record Link(String to, boolean here, int connections) {}
}
