package org.verbena.rdma.core.device;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.verbena.rdma.DeviceAttributes;
import org.verbena.rdma.DeviceCapability;
import org.verbena.rdma.PrivateDataCarrier;
import org.verbena.rdma.Transport;

/**
 * The attributes of a device as its provider has told them once, so that neither core nor a consumer calls the provider
 * for them later, when it may be closed.
 *
 * @param provider see {@link DeviceAttributes#provider()}
 * @param transport see {@link DeviceAttributes#transport()}
 * @param guid see {@link DeviceAttributes#guid()}
 * @param maxQueuePairs see {@link DeviceAttributes#maxQueuePairs()}
 * @param maxWorkRequests see {@link DeviceAttributes#maxWorkRequests()}
 * @param maxSegments see {@link DeviceAttributes#maxSegments()}
 * @param maxCompletionQueueEntries see {@link DeviceAttributes#maxCompletionQueueEntries()}
 * @param maxMessageSize see {@link DeviceAttributes#maxMessageSize()}
 * @param maxRegionSize see {@link DeviceAttributes#maxRegionSize()}
 * @param maxInlineData see {@link DeviceAttributes#maxInlineData()}
 * @param maxResponderResources see {@link DeviceAttributes#maxResponderResources()}
 * @param maxInitiatorDepth see {@link DeviceAttributes#maxInitiatorDepth()}
 * @param padsPrivateData see {@link DeviceAttributes#padsPrivateData()}
 * @param assignsSourcePorts see {@link DeviceAttributes#assignsSourcePorts()}
 * @param privateData the most of it that each message carries; not changed
 * @param capabilities what is offered; not changed
 */
record ToldAttributes(
        String provider,
        Transport transport,
        long guid,
        int maxQueuePairs,
        int maxWorkRequests,
        int maxSegments,
        int maxCompletionQueueEntries,
        long maxMessageSize,
        long maxRegionSize,
        int maxInlineData,
        int maxResponderResources,
        int maxInitiatorDepth,
        boolean padsPrivateData,
        boolean assignsSourcePorts,
        Map<PrivateDataCarrier, Integer> privateData,
        Set<DeviceCapability> capabilities)
        implements DeviceAttributes {

    /** Asks a provider's attributes for everything. */
    static ToldAttributes of(DeviceAttributes attributes) {
        Map<PrivateDataCarrier, Integer> privateData = new EnumMap<>(PrivateDataCarrier.class);
        for (PrivateDataCarrier message : PrivateDataCarrier.values()) {
            privateData.put(message, attributes.maxPrivateData(message));
        }
        Set<DeviceCapability> capabilities = EnumSet.noneOf(DeviceCapability.class);
        for (DeviceCapability capability : DeviceCapability.values()) {
            if (attributes.supports(capability)) {
                capabilities.add(capability);
            }
        }
        return new ToldAttributes(
                Objects.requireNonNull(attributes.provider(), "provider"),
                Objects.requireNonNull(attributes.transport(), "transport"),
                attributes.guid(),
                attributes.maxQueuePairs(),
                attributes.maxWorkRequests(),
                attributes.maxSegments(),
                attributes.maxCompletionQueueEntries(),
                attributes.maxMessageSize(),
                attributes.maxRegionSize(),
                attributes.maxInlineData(),
                attributes.maxResponderResources(),
                attributes.maxInitiatorDepth(),
                attributes.padsPrivateData(),
                attributes.assignsSourcePorts(),
                privateData,
                capabilities);
    }

    @Override
    public int maxPrivateData(PrivateDataCarrier message) {
        return privateData.get(message);
    }

    @Override
    public boolean supports(DeviceCapability capability) {
        return capabilities.contains(capability);
    }
}
