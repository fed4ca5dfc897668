package org.verbena.rdma.provider.iwarp.device;

import java.util.Set;
import org.verbena.rdma.DeviceAttributes;
import org.verbena.rdma.DeviceCapability;
import org.verbena.rdma.PrivateDataCarrier;
import org.verbena.rdma.Transport;

/**
 * What an iWARP device is and how much it takes.
 *
 * @param guid from the hardware address of the interface, 0 where it has none
 * @param maxQueuePairs how many queue pairs it has
 * @param maxDepth the most reads that it serves or starts at a time on a queue pair
 * @param maxPrivateData how much private data it carries
 * @param extensions whether it offers immediate data and atomics (RFC 7306)
 */
public record IwarpAttributes(long guid, int maxQueuePairs, int maxDepth, int maxPrivateData, boolean extensions)
        implements DeviceAttributes {
    /** The name of the provider. */
    public static final String PROVIDER = "iwarp";

    /** How many segments a work request may have. */
    public static final int MAX_SEGMENTS = 16;

    private static final Set<DeviceCapability> CAPABILITIES =
            Set.of(DeviceCapability.SEND_WITH_INVALIDATE, DeviceCapability.SHARED_RECEIVE_QUEUE);
    private static final Set<DeviceCapability> EXTENSIONS =
            Set.of(DeviceCapability.IMMEDIATE_DATA, DeviceCapability.ATOMICS);

    @Override
    public String provider() {
        return PROVIDER;
    }

    @Override
    public Transport transport() {
        return Transport.IWARP;
    }

    @Override
    public int maxSegments() {
        return MAX_SEGMENTS;
    }

    @Override
    public long maxRegionSize() {
        return Integer.MAX_VALUE;
    }

    @Override
    public int maxResponderResources() {
        return maxDepth;
    }

    @Override
    public int maxInitiatorDepth() {
        return maxDepth;
    }

    @Override
    public int maxPrivateData(PrivateDataCarrier message) {
        return maxPrivateData;
    }

    @Override
    public boolean assignsSourcePorts() {
        return true;
    }

    @Override
    public boolean supports(DeviceCapability capability) {
        return CAPABILITIES.contains(capability) || extensions && EXTENSIONS.contains(capability);
    }
}
