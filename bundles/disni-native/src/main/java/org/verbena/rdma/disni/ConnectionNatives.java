package org.verbena.rdma.disni;

import java.lang.annotation.Native;

/**
 * What librdmacm offers. The conventions are those of the package.
 *
 * <p>An address is 24 bytes: 4 or 6, nothing, port (16 bits), scope (32), address (16 bytes), all in network order. An id
 * carries a token, a number above 0 that its owner has given it; events tell the token and never ask for a pointer that
 * may be stale. The queue pair of an id is made with {@link VerbsNatives#createQueuePair} and moved by
 * {@link #initialize} and {@link #ready}; librdmacm does not know it.
 */
public interface ConnectionNatives {
    /** Bytes of an address. */
    @Native
    int ADDRESS_BYTES = 24;

    // Offsets into an event record, in the order of the host.
    @Native
    int EVENT_TYPE = 0;

    @Native
    int EVENT_STATUS = 4;
    /** The token of the id; of the listener where the event is a request. */
    @Native
    int EVENT_TOKEN = 8;
    /** The new id of a request, which belongs to who reads the event; else 0. */
    @Native
    int EVENT_NEW_ID = 16;

    @Native
    int EVENT_RESPONDER_RESOURCES = 24;

    @Native
    int EVENT_INITIATOR_DEPTH = 28;

    @Native
    int EVENT_RETRIES = 32;

    @Native
    int EVENT_RNR_RETRIES = 36;

    @Native
    int EVENT_PRIVATE_LENGTH = 40;

    @Native
    int EVENT_PRIVATE_DATA = 48;

    @Native
    int EVENT_BYTES = 304;

    // Indexes into what route fills in.
    @Native
    int ROUTE_MTU_BYTES = 0;

    @Native
    int ROUTE_SERVICE_LEVEL = 1;

    @Native
    int ROUTE_TRAFFIC_CLASS = 2;

    @Native
    int ROUTE_HOP_LIMIT = 3;

    @Native
    int ROUTE_PACKET_LIFETIME = 4;

    @Native
    int ROUTE_ATTRIBUTES = 5;

    // Options.
    @Native
    int OPTION_TYPE_OF_SERVICE = 0;

    @Native
    int OPTION_REUSE_ADDRESS = 1;

    @Native
    int OPTION_ADDRESS_FAMILY_ONLY = 2;

    @Native
    int OPTION_ACK_TIMEOUT = 3;

    long createChannel();

    void destroyChannel(long channel);

    int channelDescriptor(long channel);

    /** Takes an event, copies it to the record and acknowledges it; never waits. */
    int readEvent(long channel, long record);

    /** Lets librdmacm give up a device that is gone, and that nobody in this process has open any more. */
    void releaseDevice(String device);

    /** Lets librdmacm give up the devices that it has open, if no channel is left; returns how many are left. */
    int releaseDevices();

    long createId(long channel, int portSpace, long token);

    void setToken(long id, long token);

    /** Frees an id. Waits for a call inside of {@link #connect} on the id, so interrupt that first. */
    int destroyId(long id);

    int setOption(long id, int option, int value);

    int bind(long id, byte[] address);

    int listen(long id, int backlog);

    int resolveAddress(long id, byte[] source, byte[] destination, int milliseconds);

    int resolveRoute(long id, int milliseconds);

    /** Returns the name of the device that the id is bound to, or {@code null}; asked for each id that is bound. */
    String device(long id);

    void localAddress(long id, byte[] address);

    void peerAddress(long id, byte[] address);

    int route(long id, int[] attributes);

    /** Moves a queue pair to where receives can be posted. */
    int initialize(long id, long queuePair);

    /** Moves a queue pair to where it carries data; negative numbers leave what librdmacm has agreed upon. */
    int ready(long id, long queuePair, int responderResources, int initiatorDepth);

    /** Makes what can interrupt a connect. */
    long createCall();

    /** Interrupts the connect that runs with the call, now or as soon as it begins, and returns when it is back. */
    void interruptCall(long call);

    void freeCall(long call);

    /** Connects. May wait for the peer inside of the kernel: minutes with some devices. */
    int connect(
            long call,
            long id,
            int queuePairNumber,
            byte[] privateData,
            int responderResources,
            int initiatorDepth,
            int retries,
            int receiverNotReadyRetries);

    int establish(long id);

    int notifyCommunicationEstablished(long id);

    int accept(
            long id,
            int queuePairNumber,
            byte[] privateData,
            int responderResources,
            int initiatorDepth,
            int rnrRetries);

    int reject(long id, byte[] privateData);

    int disconnect(long id);
}
