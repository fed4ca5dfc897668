package org.verbena.rdma.provider.disni.device;

import java.util.EnumSet;
import java.util.Set;
import org.verbena.rdma.DeviceAttributes;
import org.verbena.rdma.DeviceCapability;
import org.verbena.rdma.PrivateDataCarrier;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.Transport;
import org.verbena.rdma.disni.VerbsNatives;
import org.verbena.rdma.provider.disni.natives.Outcome;

/**
 * What a device says of itself.
 *
 * @param transport how it talks to its peers
 * @param guid its EUI-64
 * @param ports how many ports it has
 * @param maxQueuePairs the most queue pairs
 * @param maxWorkRequests the most work requests on a queue
 * @param maxSegments the most segments of a request
 * @param maxCompletionQueueEntries the most entries of a completion queue
 * @param maxRegionSize the longest region
 * @param maxMessageSize the longest message
 * @param maxResponderResources how many reads of a peer it serves
 * @param maxInitiatorDepth how many reads it starts
 * @param capabilities what it offers
 */
public record DisniAttributes(
        Transport transport,
        long guid,
        int ports,
        int maxQueuePairs,
        int maxWorkRequests,
        int maxSegments,
        int maxCompletionQueueEntries,
        long maxRegionSize,
        long maxMessageSize,
        int maxResponderResources,
        int maxInitiatorDepth,
        Set<DeviceCapability> capabilities)
        implements DeviceAttributes {
    /** The name of the provider. */
    public static final String PROVIDER = "disni";

    private static final int TRANSPORT_IB = 0;
    private static final int TRANSPORT_IWARP = 1;
    private static final int LINK_LAYER_ETHERNET = 2;
    private static final long MOST_RESOURCES = 254;
    /** What every device takes; libibverbs does not tell more before a queue pair is made. */
    private static final int INLINE = 64;

    /** What an IP address family leaves of the fields of InfiniBand. */
    private static final int IB_REQUEST = 56;

    private static final int IB_REPLY = 196;
    private static final int IB_REJECT = 148;
    /** With the four bytes of MPA revision 2 it must fit eight bits in Linux. */
    private static final int IWARP = 251;

    /**
     * Copies the set.
     *
     * @param transport how it talks to its peers
     * @param guid its EUI-64
     * @param ports how many ports it has
     * @param maxQueuePairs the most queue pairs
     * @param maxWorkRequests the most work requests on a queue
     * @param maxSegments the most segments of a request
     * @param maxCompletionQueueEntries the most entries of a completion queue
     * @param maxRegionSize the longest region
     * @param maxMessageSize the longest message
     * @param maxResponderResources how many reads of a peer it serves
     * @param maxInitiatorDepth how many reads it starts
     * @param capabilities what it offers
     */
    public DisniAttributes {
        capabilities = Set.copyOf(capabilities);
    }

    /**
     * Asks a device, which is open for that moment alone.
     *
     * @param natives the natives
     * @param name the name of the device
     * @return what it says
     * @throws RdmaException if it cannot be opened or asked
     */
    public static DisniAttributes ask(VerbsNatives natives, String name) throws RdmaException {
        long context = Outcome.check(natives.openDevice(name), "opening device " + name);
        try {
            long[] device = new long[VerbsNatives.DEVICE_ATTRIBUTES];
            long[] port = new long[VerbsNatives.PORT_ATTRIBUTES];
            Outcome.check(natives.queryDevice(context, device), "querying device " + name);
            Outcome.check(natives.queryPort(context, 1, port), "querying port 1 of device " + name);
            return of(device, port);
        } finally {
            natives.closeDevice(context);
        }
    }

    static DisniAttributes of(long[] device, long[] port) {
        Transport transport = transport(device[VerbsNatives.DEVICE_TRANSPORT], port[VerbsNatives.PORT_LINK_LAYER]);
        return new DisniAttributes(
                transport,
                device[VerbsNatives.DEVICE_GUID],
                (int) device[VerbsNatives.DEVICE_PORTS],
                atLeastOne(device[VerbsNatives.DEVICE_MAX_QP]),
                atLeastOne(device[VerbsNatives.DEVICE_MAX_QP_WR]),
                atLeastOne(segments(device)),
                atLeastOne(device[VerbsNatives.DEVICE_MAX_CQE]),
                device[VerbsNatives.DEVICE_MAX_MR_SIZE] <= 0 ? Long.MAX_VALUE : device[VerbsNatives.DEVICE_MAX_MR_SIZE],
                port[VerbsNatives.PORT_MAX_MESSAGE] <= 0 ? 0x7FFF_FFFFL : port[VerbsNatives.PORT_MAX_MESSAGE],
                (int) Math.min(MOST_RESOURCES, device[VerbsNatives.DEVICE_MAX_RESPONDER]),
                (int) Math.min(MOST_RESOURCES, initiatorDepth(device)),
                capabilities(device, transport));
    }

    private static Transport transport(long number, long linkLayer) {
        if (number == TRANSPORT_IWARP) {
            return Transport.IWARP;
        }
        if (number != TRANSPORT_IB) {
            return Transport.OTHER;
        }
        return linkLayer == LINK_LAYER_ETHERNET ? Transport.ROCE : Transport.INFINIBAND;
    }

    /** Some devices take fewer segments for a read. */
    private static long segments(long[] device) {
        long reads = device[VerbsNatives.DEVICE_MAX_SGE_READ];
        long all = device[VerbsNatives.DEVICE_MAX_SGE];
        return reads > 0 ? Math.min(reads, all) : all;
    }

    /** Some devices tell one of the two numbers alone. */
    private static long initiatorDepth(long[] device) {
        long told = device[VerbsNatives.DEVICE_MAX_INITIATOR];
        return told > 0 ? told : device[VerbsNatives.DEVICE_MAX_RESPONDER];
    }

    private static int atLeastOne(long number) {
        return (int) Math.max(1, Math.min(Integer.MAX_VALUE, number));
    }

    private static Set<DeviceCapability> capabilities(long[] device, Transport transport) {
        Set<DeviceCapability> capabilities = EnumSet.noneOf(DeviceCapability.class);
        if (transport != Transport.IWARP) {
            capabilities.add(DeviceCapability.IMMEDIATE_DATA);
            capabilities.add(DeviceCapability.SEND_WITH_IMMEDIATE_DATA);
            capabilities.add(DeviceCapability.RECEIVER_NOT_READY_RETRY);
            capabilities.add(DeviceCapability.TIMEWAIT);
            if (device[VerbsNatives.DEVICE_ATOMICS] != 0) {
                capabilities.add(DeviceCapability.ATOMICS);
            }
        }
        if (device[VerbsNatives.DEVICE_MAX_SRQ] > 0) {
            capabilities.add(DeviceCapability.SHARED_RECEIVE_QUEUE);
        }
        return capabilities;
    }

    @Override
    public String provider() {
        return PROVIDER;
    }

    @Override
    public int maxInlineData() {
        return INLINE;
    }

    @Override
    public int maxPrivateData(PrivateDataCarrier message) {
        if (transport == Transport.IWARP) {
            return IWARP;
        }
        return switch (message) {
            case REQUEST -> IB_REQUEST;
            case REPLY -> IB_REPLY;
            case REJECT -> IB_REJECT;
        };
    }

    @Override
    public boolean padsPrivateData() {
        return transport != Transport.IWARP;
    }

    @Override
    public boolean assignsSourcePorts() {
        return true;
    }

    @Override
    public boolean supports(DeviceCapability capability) {
        return capabilities.contains(capability);
    }
}
