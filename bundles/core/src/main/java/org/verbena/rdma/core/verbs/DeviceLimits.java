package org.verbena.rdma.core.verbs;

import java.util.EnumSet;
import java.util.Set;
import org.verbena.rdma.DeviceAttributes;
import org.verbena.rdma.DeviceCapability;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;

/**
 * How much a device takes: its attributes, read once, so that posting calls nothing of the provider but its post.
 *
 * @param device the name of the device
 * @param maxWorkRequests see {@link DeviceAttributes#maxWorkRequests()}
 * @param maxSegments see {@link DeviceAttributes#maxSegments()}
 * @param maxCompletionQueueEntries see {@link DeviceAttributes#maxCompletionQueueEntries()}
 * @param maxMessageSize see {@link DeviceAttributes#maxMessageSize()}
 * @param maxRegionSize see {@link DeviceAttributes#maxRegionSize()}
 * @param maxInlineData see {@link DeviceAttributes#maxInlineData()}
 * @param capabilities what the device offers; not changed
 */
record DeviceLimits(
        String device,
        int maxWorkRequests,
        int maxSegments,
        int maxCompletionQueueEntries,
        long maxMessageSize,
        long maxRegionSize,
        int maxInlineData,
        Set<DeviceCapability> capabilities) {

    static DeviceLimits of(String device, DeviceAttributes attributes) {
        EnumSet<DeviceCapability> capabilities = EnumSet.noneOf(DeviceCapability.class);
        for (DeviceCapability capability : DeviceCapability.values()) {
            if (attributes.supports(capability)) {
                capabilities.add(capability);
            }
        }
        return new DeviceLimits(
                device,
                attributes.maxWorkRequests(),
                attributes.maxSegments(),
                attributes.maxCompletionQueueEntries(),
                attributes.maxMessageSize(),
                attributes.maxRegionSize(),
                attributes.maxInlineData(),
                capabilities);
    }

    boolean offers(DeviceCapability capability) {
        return capabilities.contains(capability);
    }

    /** Checks that a number asked for is one that the device takes. */
    void check(String what, int asked, int least, int most) throws RdmaException {
        if (asked < least || asked > most) {
            throw new RdmaException(
                    RdmaError.INVALID_ARGUMENT,
                    what + "=" + asked + " is out of range: device " + device + " takes " + least + " to " + most);
        }
    }

    /** Checks that the device offers something. */
    void checkOffers(DeviceCapability capability, String what) throws RdmaException {
        if (!offers(capability)) {
            throw new RdmaException(
                    RdmaError.NOT_SUPPORTED,
                    "device " + device + " has no " + what + ": see DeviceAttributes.supports(" + capability + ")");
        }
    }
}
