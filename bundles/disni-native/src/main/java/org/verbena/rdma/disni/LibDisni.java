package org.verbena.rdma.disni;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The natives of libdisni, the library that comes in this bundle. It has no state of its own; what is loaded belongs to
 * the class loader.
 *
 * <p>The JVM lends a native library to one class loader at a time. A bundle that was refreshed or updated finds it free
 * once the old class loader was collected, and otherwise says that a restart is needed.
 */
public final class LibDisni implements VerbsNatives, ConnectionNatives {
    /** Changes whenever a native changes, so that a library of another build is noticed. */
    private static final int VERSION = 2;

    private static final int[] LAYOUT = {
        SEGMENT_BYTES,
        COMPLETION_BYTES,
        MAX_POLL,
        DEVICE_ATTRIBUTES,
        PORT_ATTRIBUTES,
        QP_SIZES,
        ADDRESS_BYTES,
        EVENT_BYTES,
        EVENT_PRIVATE_DATA,
        ROUTE_ATTRIBUTES
    };

    private LibDisni() {}

    /**
     * Loads libdisni, and through it librdmacm and libibverbs.
     *
     * @return the natives
     * @throws UnsatisfiedLinkError with a sentence that says what is missing and what to do
     */
    public static LibDisni load() {
        try {
            System.loadLibrary("disni");
        } catch (UnsatisfiedLinkError missing) {
            throw explained(missing);
        }
        LibDisni natives = new LibDisni();
        int version;
        try {
            version = natives.version();
        } catch (UnsatisfiedLinkError foreign) {
            throw because(
                    "the libdisni that was found is DiSNI's own: remove it from java.library.path, or build this bundle"
                            + " where gcc, librdmacm-dev and libibverbs-dev are installed",
                    foreign);
        }
        int[] layout = version == VERSION ? natives.layout() : new int[0];
        if (!Arrays.equals(layout, LAYOUT)) {
            throw because(
                    "libdisni is of another build (version " + version + ", not " + VERSION
                            + "): use the library and the bundle of the same build",
                    null);
        }
        String trouble = natives.openLibraries();
        if (trouble != null) {
            throw because(trouble, null);
        }
        return natives;
    }

    private static UnsatisfiedLinkError explained(UnsatisfiedLinkError missing) {
        String said = String.valueOf(missing.getMessage());
        if (said.contains("already loaded")) {
            return because(
                    "libdisni is still in use by an earlier version of this bundle: restart the framework", missing);
        }
        return because(
                "there is no libdisni for " + System.getProperty("os.name") + " on " + System.getProperty("os.arch")
                        + " (" + said
                        + "): build this bundle where gcc, librdmacm-dev and libibverbs-dev are installed",
                missing);
    }

    private static UnsatisfiedLinkError because(String sentence, Throwable cause) {
        UnsatisfiedLinkError error = new UnsatisfiedLinkError(sentence);
        error.initCause(cause);
        return error;
    }

    private native int version();

    /** Returns the numbers on which both sides must agree. */
    private native int[] layout();

    /** Opens librdmacm and libibverbs; returns {@code null}, or a sentence that says what is missing. */
    private native String openLibraries();

    /** Returns the versions of what was opened, for people. */
    public native String versions();

    @Override
    public native String[] deviceNames();

    @Override
    public native String networkInterface(String device, int port);

    @Override
    public native long openDevice(String name);

    @Override
    public native int closeDevice(long context);

    @Override
    public native int queryDevice(long context, long[] attributes);

    @Override
    public native int queryPort(long context, int port, long[] attributes);

    @Override
    public native int asyncDescriptor(long context);

    @Override
    public native int readAsyncEvent(long context, int[] event);

    @Override
    public native long allocateDomain(long context);

    @Override
    public native int freeDomain(long domain);

    @Override
    public native long address(ByteBuffer buffer);

    @Override
    public native long registerMemory(long domain, ByteBuffer buffer, long length, int access, int[] keys);

    @Override
    public native int deregisterMemory(long region);

    @Override
    public native long createCompletionChannel(long context);

    @Override
    public native int destroyCompletionChannel(long channel);

    @Override
    public native int completionDescriptor(long channel);

    @Override
    public native long readCompletionEvent(long channel);

    @Override
    public native long createCompletionQueue(long context, int entries, long token, long channel, int[] made);

    @Override
    public native int destroyCompletionQueue(long queue);

    @Override
    public native int poll(long queue, long records, int max);

    @Override
    public native int requestNotification(long queue, boolean solicitedOnly);

    @Override
    public native long createSharedReceiveQueue(long domain, int receives, int segments);

    @Override
    public native int destroySharedReceiveQueue(long queue);

    @Override
    public native long createQueuePair(
            long domain, long sendQueue, long receiveQueue, long sharedReceiveQueue, int[] sizes);

    @Override
    public native int destroyQueuePair(long queuePair);

    @Override
    public native int failQueuePair(long queuePair);

    @Override
    public native int queuePairState(long queuePair);

    @Override
    public native int postSend(
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

    @Override
    public native int postReceive(long queuePair, long workRequestId, long segments, int segmentCount);

    @Override
    public native int postSharedReceive(long queue, long workRequestId, long segments, int segmentCount);

    @Override
    public native int createWaker();

    @Override
    public native int wake(int waker);

    @Override
    public native int calm(int waker);

    @Override
    public native int closeWaker(int waker);

    @Override
    public native int await(int first, int second, int waker);

    @Override
    public native long createChannel();

    @Override
    public native void destroyChannel(long channel);

    @Override
    public native int channelDescriptor(long channel);

    @Override
    public native int readEvent(long channel, long record);

    @Override
    public native void releaseDevice(String device);

    @Override
    public native int releaseDevices();

    @Override
    public native long createId(long channel, int portSpace, long token);

    @Override
    public native void setToken(long id, long token);

    @Override
    public native int destroyId(long id);

    @Override
    public native int setOption(long id, int option, int value);

    @Override
    public native int bind(long id, byte[] address);

    @Override
    public native int listen(long id, int backlog);

    @Override
    public native int resolveAddress(long id, byte[] source, byte[] destination, int milliseconds);

    @Override
    public native int resolveRoute(long id, int milliseconds);

    @Override
    public native String device(long id);

    @Override
    public native void localAddress(long id, byte[] address);

    @Override
    public native void peerAddress(long id, byte[] address);

    @Override
    public native int route(long id, int[] attributes);

    @Override
    public native int initialize(long id, long queuePair);

    @Override
    public native int ready(long id, long queuePair, int responderResources, int initiatorDepth);

    @Override
    public native long createCall();

    @Override
    public native void interruptCall(long call);

    @Override
    public native void freeCall(long call);

    @Override
    public native int connect(
            long call,
            long id,
            int queuePairNumber,
            byte[] privateData,
            int responderResources,
            int initiatorDepth,
            int retries,
            int receiverNotReadyRetries);

    @Override
    public native int establish(long id);

    @Override
    public native int notifyCommunicationEstablished(long id);

    @Override
    public native int accept(
            long id,
            int queuePairNumber,
            byte[] privateData,
            int responderResources,
            int initiatorDepth,
            int rnrRetries);

    @Override
    public native int reject(long id, byte[] privateData);

    @Override
    public native int disconnect(long id);
}
