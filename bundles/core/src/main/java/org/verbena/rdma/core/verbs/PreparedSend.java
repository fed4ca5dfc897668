package org.verbena.rdma.core.verbs;

import org.verbena.rdma.DeviceCapability;
import org.verbena.rdma.MemoryRegion;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.SendOperation;
import org.verbena.rdma.SendWorkRequest;
import org.verbena.rdma.spi.ProviderMemoryRegion;
import org.verbena.rdma.spi.SendRequest;

/** A send request, as the consumer fills it and as the provider reads it. For one thread at a time. */
final class PreparedSend implements SendWorkRequest, SendRequest {
    private static final int ATOMIC_BYTES = 8;

    private final Segments segments;
    private long workRequestId;
    private SendOperation operation;
    private long remoteAddress;
    private int remoteKey;
    private int immediateData;
    private long compareOrAdd;
    private long swap;
    private boolean signaled = true;
    private boolean solicited;
    private boolean fenced;
    private boolean inline;

    PreparedSend(GuardedProtectionDomain domain, int maxSegments) {
        segments = new Segments(domain, maxSegments);
    }

    /** Finds what a consumer hands in. */
    static PreparedSend of(SendWorkRequest request, GuardedProtectionDomain domain) {
        if (request instanceof PreparedSend prepared && prepared.segments.domain() == domain) {
            return prepared;
        }
        throw Segments.foreign(request, domain);
    }

    /** Checks the request inside the gate. */
    void check(GuardedObject queuePair, DeviceLimits limits, int maxSegments, int maxInlineData) throws RdmaException {
        if (operation == null) {
            throw new IllegalArgumentException("the work request is not filled in: call send(), write() or the like");
        }
        segments.checkCount(queuePair, maxSegments);
        boolean sink = false;
        switch (operation) {
            case SEND, WRITE -> {}
            case SEND_WITH_IMMEDIATE -> {
                limits.checkOffers(DeviceCapability.IMMEDIATE_DATA, "immediate data");
                if (segments.totalLength() > 0) {
                    limits.checkOffers(
                            DeviceCapability.SEND_WITH_IMMEDIATE_DATA, "immediate data with a send of bytes");
                }
            }
            case WRITE_WITH_IMMEDIATE -> limits.checkOffers(DeviceCapability.IMMEDIATE_DATA, "immediate data");
            case SEND_WITH_INVALIDATE ->
                limits.checkOffers(DeviceCapability.SEND_WITH_INVALIDATE, "send with invalidate");
            case READ -> sink = true;
            case COMPARE_AND_SWAP, FETCH_AND_ADD -> {
                limits.checkOffers(DeviceCapability.ATOMICS, "atomics");
                if (segments.totalLength() != ATOMIC_BYTES) {
                    throw new IllegalArgumentException("an atomic needs room for the 8 bytes that were there: the"
                            + " segments have " + segments.totalLength());
                }
                sink = true;
            }
        }
        long total = segments.totalLength();
        if (total > limits.maxMessageSize()) {
            throw new RdmaException(
                    RdmaError.TOO_LARGE,
                    "a message of " + total + " bytes is too long: device " + limits.device() + " takes up to "
                            + limits.maxMessageSize());
        }
        if (inline) {
            checkInline(queuePair, sink, maxInlineData);
        }
        segments.checkRegions(sink);
    }

    private void checkInline(GuardedObject queuePair, boolean sink, int maxInlineData) throws RdmaException {
        if (sink) {
            throw new IllegalArgumentException("a read or an atomic cannot be inline");
        }
        if (segments.totalLength() > maxInlineData) {
            throw new RdmaException(
                    RdmaError.TOO_LARGE,
                    segments.totalLength() + " bytes are too many for an inline send: " + queuePair
                            + " was made for up to " + maxInlineData);
        }
    }

    @Override
    public SendWorkRequest clear() {
        workRequestId = 0;
        operation = null;
        remoteAddress = 0;
        remoteKey = 0;
        immediateData = 0;
        compareOrAdd = 0;
        swap = 0;
        signaled = true;
        solicited = false;
        fenced = false;
        inline = false;
        segments.clear();
        return this;
    }

    @Override
    public SendWorkRequest workRequestId(long id) {
        workRequestId = id;
        return this;
    }

    @Override
    public SendWorkRequest segment(MemoryRegion region, long offset, long length) {
        segments.add(region, offset, length);
        return this;
    }

    @Override
    public SendWorkRequest clearSegments() {
        segments.clear();
        return this;
    }

    @Override
    public SendWorkRequest signaled(boolean on) {
        signaled = on;
        return this;
    }

    @Override
    public SendWorkRequest solicited(boolean on) {
        solicited = on;
        return this;
    }

    @Override
    public SendWorkRequest fenced(boolean on) {
        fenced = on;
        return this;
    }

    @Override
    public SendWorkRequest inline(boolean on) {
        inline = on;
        return this;
    }

    @Override
    public SendWorkRequest send() {
        return become(SendOperation.SEND, 0, 0);
    }

    @Override
    public SendWorkRequest sendWithImmediate(int data) {
        immediateData = data;
        return become(SendOperation.SEND_WITH_IMMEDIATE, 0, 0);
    }

    @Override
    public SendWorkRequest sendWithInvalidate(int key) {
        return become(SendOperation.SEND_WITH_INVALIDATE, 0, key);
    }

    @Override
    public SendWorkRequest write(long address, int key) {
        return become(SendOperation.WRITE, address, key);
    }

    @Override
    public SendWorkRequest writeWithImmediate(long address, int key, int data) {
        immediateData = data;
        return become(SendOperation.WRITE_WITH_IMMEDIATE, address, key);
    }

    @Override
    public SendWorkRequest read(long address, int key) {
        return become(SendOperation.READ, address, key);
    }

    @Override
    public SendWorkRequest compareAndSwap(long address, int key, long expected, long replacement) {
        checkAligned(address);
        compareOrAdd = expected;
        swap = replacement;
        return become(SendOperation.COMPARE_AND_SWAP, address, key);
    }

    @Override
    public SendWorkRequest fetchAndAdd(long address, int key, long addend) {
        checkAligned(address);
        compareOrAdd = addend;
        return become(SendOperation.FETCH_AND_ADD, address, key);
    }

    private SendWorkRequest become(SendOperation what, long address, int key) {
        operation = what;
        remoteAddress = address;
        remoteKey = key;
        return this;
    }

    private static void checkAligned(long address) {
        if (address % ATOMIC_BYTES != 0) {
            throw new IllegalArgumentException(
                    "an atomic needs an address that is divisible by 8, not 0x" + Long.toHexString(address));
        }
    }

    @Override
    public long workRequestId() {
        return workRequestId;
    }

    @Override
    public int segmentCount() {
        return segments.count();
    }

    @Override
    public ProviderMemoryRegion region(int index) {
        return segments.region(index);
    }

    @Override
    public long offset(int index) {
        return segments.offset(index);
    }

    @Override
    public long length(int index) {
        return segments.length(index);
    }

    @Override
    public long totalLength() {
        return segments.totalLength();
    }

    @Override
    public SendOperation operation() {
        return operation;
    }

    @Override
    public long remoteAddress() {
        return remoteAddress;
    }

    @Override
    public int remoteKey() {
        return remoteKey;
    }

    @Override
    public int immediateData() {
        return immediateData;
    }

    @Override
    public long compareOrAdd() {
        return compareOrAdd;
    }

    @Override
    public long swap() {
        return swap;
    }

    @Override
    public boolean isSignaled() {
        return signaled;
    }

    @Override
    public boolean isSolicited() {
        return solicited;
    }

    @Override
    public boolean isFenced() {
        return fenced;
    }

    @Override
    public boolean isInline() {
        return inline;
    }
}
