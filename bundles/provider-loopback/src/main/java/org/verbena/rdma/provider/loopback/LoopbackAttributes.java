package org.verbena.rdma.provider.loopback;

import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.Set;
import java.util.UUID;
import org.verbena.rdma.DeviceAttributes;
import org.verbena.rdma.DeviceCapability;
import org.verbena.rdma.PrivateDataCarrier;
import org.verbena.rdma.Transport;

/**
 * What a loopback device is.
 *
 * @param guid its EUI-64
 * @param limits how much it takes
 * @param requestData how many bytes of private data a request carries
 * @param replyData how many bytes of private data a reply carries
 * @param rejectData how many bytes of private data a refusal carries
 * @param padsPrivateData whether private data is padded to the size of its field
 * @param capabilities what it offers
 */
public record LoopbackAttributes(
        long guid,
        DeviceLimits limits,
        int requestData,
        int replyData,
        int rejectData,
        boolean padsPrivateData,
        Set<DeviceCapability> capabilities)
        implements DeviceAttributes {

    /** The name of the provider. */
    public static final String PROVIDER = "loopback";

    /** The limits of InfiniBand, for what an IP address family leaves of them. */
    private static final int REQUEST_DATA = 56;

    private static final int REPLY_DATA = 196;
    private static final int REJECT_DATA = 148;
    private static final long LOCALLY_ADMINISTERED = 0x0200_0000_0000_0000L;
    private static final long OTHER_BITS = 0x00FF_FFFF_FFFF_FFFFL;

    /**
     * Copies the set.
     *
     * @param guid its EUI-64
     * @param limits how much it takes
     * @param requestData how many bytes of private data a request carries
     * @param replyData how many bytes of private data a reply carries
     * @param rejectData how many bytes of private data a refusal carries
     * @param padsPrivateData whether private data is padded to the size of its field
     * @param capabilities what it offers
     */
    public LoopbackAttributes {
        capabilities = Set.copyOf(capabilities);
    }

    /**
     * Starts with all that the provider can do, but time-wait.
     *
     * @param deviceName what the GUID is made of
     * @return attributes
     */
    public static LoopbackAttributes defaults(String deviceName) {
        long hash = UUID.nameUUIDFromBytes(deviceName.getBytes(StandardCharsets.UTF_8))
                .getMostSignificantBits();
        return new LoopbackAttributes(
                LOCALLY_ADMINISTERED | hash & OTHER_BITS,
                DeviceLimits.DEFAULTS,
                REQUEST_DATA,
                REPLY_DATA,
                REJECT_DATA,
                false,
                EnumSet.complementOf(EnumSet.of(DeviceCapability.DATAGRAM, DeviceCapability.TIMEWAIT)));
    }

    /**
     * Changes the limits.
     *
     * @param changed the new limits
     * @return a changed copy
     */
    public LoopbackAttributes withLimits(DeviceLimits changed) {
        return new LoopbackAttributes(guid, changed, requestData, replyData, rejectData, padsPrivateData, capabilities);
    }

    /**
     * Changes how private data travels.
     *
     * @param request how many bytes a request carries
     * @param reply how many bytes a reply carries
     * @param reject how many bytes a refusal carries
     * @param padded whether it is padded to that size
     * @return a changed copy
     */
    public LoopbackAttributes withPrivateData(int request, int reply, int reject, boolean padded) {
        return new LoopbackAttributes(guid, limits, request, reply, reject, padded, capabilities);
    }

    /**
     * Adds or takes away a capability.
     *
     * @param capability the capability
     * @param offered whether the device offers it
     * @return a changed copy
     */
    public LoopbackAttributes withCapability(DeviceCapability capability, boolean offered) {
        Set<DeviceCapability> changed = EnumSet.noneOf(DeviceCapability.class);
        changed.addAll(capabilities);
        if (offered) {
            changed.add(capability);
        } else {
            changed.remove(capability);
        }
        return new LoopbackAttributes(guid, limits, requestData, replyData, rejectData, padsPrivateData, changed);
    }

    @Override
    public String provider() {
        return PROVIDER;
    }

    @Override
    public Transport transport() {
        return Transport.LOOPBACK;
    }

    @Override
    public int maxQueuePairs() {
        return limits.queuePairs();
    }

    @Override
    public int maxWorkRequests() {
        return limits.workRequests();
    }

    @Override
    public int maxSegments() {
        return limits.segments();
    }

    @Override
    public int maxCompletionQueueEntries() {
        return limits.completionQueueEntries();
    }

    @Override
    public long maxMessageSize() {
        return limits.messageSize();
    }

    @Override
    public long maxRegionSize() {
        return limits.regionSize();
    }

    @Override
    public int maxInlineData() {
        return limits.inlineData();
    }

    @Override
    public int maxResponderResources() {
        return limits.responderResources();
    }

    @Override
    public int maxInitiatorDepth() {
        return limits.initiatorDepth();
    }

    @Override
    public int maxPrivateData(PrivateDataCarrier message) {
        return switch (message) {
            case REQUEST -> requestData;
            case REPLY -> replyData;
            case REJECT -> rejectData;
        };
    }

    @Override
    public boolean supports(DeviceCapability capability) {
        return capabilities.contains(capability);
    }
}
