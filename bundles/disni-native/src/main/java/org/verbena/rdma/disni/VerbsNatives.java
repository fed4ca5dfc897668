package org.verbena.rdma.disni;

import java.lang.annotation.Native;
import java.nio.ByteBuffer;

/** What libibverbs offers. The conventions are those of the package. */
public interface VerbsNatives {
    /** Bytes of a segment: address (64 bits), length (32), local key (32), in the order of the host. */
    @Native
    int SEGMENT_BYTES = 16;

    /**
     * Bytes of a polled completion, in the order of the host: number of the work request (64), status, operation, byte
     * count, queue pair number, flags, immediate data or invalidated key, vendor error, nothing (32 each).
     */
    @Native
    int COMPLETION_BYTES = 40;

    /** The most completions that one poll takes. */
    @Native
    int MAX_POLL = 32;

    // Indexes into what queryDevice fills in.
    @Native
    int DEVICE_GUID = 0;

    @Native
    int DEVICE_NODE_TYPE = 1;

    @Native
    int DEVICE_TRANSPORT = 2;

    @Native
    int DEVICE_PORTS = 3;

    @Native
    int DEVICE_MAX_QP = 4;

    @Native
    int DEVICE_MAX_QP_WR = 5;

    @Native
    int DEVICE_MAX_SGE = 6;

    @Native
    int DEVICE_MAX_SGE_READ = 7;

    @Native
    int DEVICE_MAX_CQE = 8;

    @Native
    int DEVICE_MAX_MR_SIZE = 9;

    @Native
    int DEVICE_MAX_RESPONDER = 10;

    @Native
    int DEVICE_MAX_INITIATOR = 11;

    @Native
    int DEVICE_ATOMICS = 12;

    @Native
    int DEVICE_MAX_SRQ = 13;

    @Native
    int DEVICE_CAPABILITIES = 14;

    @Native
    int DEVICE_ATTRIBUTES = 15;

    // Indexes into what queryPort fills in.
    @Native
    int PORT_STATE = 0;

    @Native
    int PORT_MTU_BYTES = 1;

    @Native
    int PORT_LINK_LAYER = 2;

    @Native
    int PORT_MAX_MESSAGE = 3;

    @Native
    int PORT_GIDS = 4;

    @Native
    int PORT_ATTRIBUTES = 5;

    // Indexes into the sizes of a queue pair; those above the first line are filled in.
    @Native
    int QP_SENDS = 0;

    @Native
    int QP_RECEIVES = 1;

    @Native
    int QP_SEND_SEGMENTS = 2;

    @Native
    int QP_RECEIVE_SEGMENTS = 3;

    @Native
    int QP_INLINE = 4;

    @Native
    int QP_NUMBER = 5;

    @Native
    int QP_SIZES = 6;

    // Devices

    /**
     * Returns the names of the devices that the kernel has, or {@code null} where it does not tell. One that it has begun to
     * remove is not among them, even while nothing else of it is gone (netlink, RDMA_NLDEV_CMD_GET).
     */
    String[] deviceNames();

    /** Returns the network interface of a port that this process can see, or {@code null}. */
    String networkInterface(String device, int port);

    long openDevice(String name);

    int closeDevice(long context);

    int queryDevice(long context, long[] attributes);

    int queryPort(long context, int port, long[] attributes);

    /** Returns the descriptor that is readable when there is an asynchronous event; it does not block afterwards. */
    int asyncDescriptor(long context);

    /** Takes an asynchronous event and acknowledges it: its type, and the number of its port or queue pair or 0. */
    int readAsyncEvent(long context, int[] event);

    // Domains and memory

    long allocateDomain(long context);

    int freeDomain(long domain);

    /** Returns the address of the first byte of a direct buffer, or 0. */
    long address(ByteBuffer buffer);

    /** Registers a direct buffer from its first byte on, and keeps it reachable; the local and remote key are filled in. */
    long registerMemory(long domain, ByteBuffer buffer, long length, int access, int[] keys);

    /** Ends a registration. After a failure the buffer stays reachable for good. */
    int deregisterMemory(long region);

    // Completions

    long createCompletionChannel(long context);

    int destroyCompletionChannel(long channel);

    int completionDescriptor(long channel);

    /** Takes the token of a queue that has an event, 0 or more, and acknowledges the event. */
    long readCompletionEvent(long channel);

    /** Makes a queue; how many entries it has is filled in. */
    long createCompletionQueue(long context, int entries, long token, long channel, int[] made);

    int destroyCompletionQueue(long queue);

    /** Takes completions; returns how many. */
    int poll(long queue, long records, int max);

    int requestNotification(long queue, boolean solicitedOnly);

    // Queue pairs

    long createSharedReceiveQueue(long domain, int receives, int segments);

    int destroySharedReceiveQueue(long queue);

    /** Makes a reliable connected queue pair. */
    long createQueuePair(long domain, long sendQueue, long receiveQueue, long sharedReceiveQueue, int[] sizes);

    int destroyQueuePair(long queuePair);

    /** Moves to the state in which all is flushed. */
    int failQueuePair(long queuePair);

    /** Returns the state as libibverbs numbers it. */
    int queuePairState(long queuePair);

    /** Posts one send; {@code segments} is the address of so many of them. */
    int postSend(
            long queuePair,
            long workRequestId,
            int operation,
            int flags,
            int immediateOrKey,
            long remoteAddress,
            int remoteKey,
            long compareOrAdd,
            long swap,
            long segments,
            int segmentCount);

    int postReceive(long queuePair, long workRequestId, long segments, int segmentCount);

    int postSharedReceive(long queue, long workRequestId, long segments, int segmentCount);

    // Waiting

    /** Makes a descriptor that ends {@link #await} for good once {@link #wake} was called, until {@link #calm}. */
    int createWaker();

    int wake(int waker);

    int calm(int waker);

    int closeWaker(int waker);

    /**
     * Waits until one of the descriptors is readable; negative ones do not count.
     *
     * @return bit 0 for the first, bit 1 for the second, bit 2 for the waker; a bit is also set for a descriptor that is
     *     broken
     */
    int await(int first, int second, int waker);
}
