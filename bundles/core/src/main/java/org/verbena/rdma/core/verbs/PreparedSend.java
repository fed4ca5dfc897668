package org.verbena.rdma.core.verbs;

import org.verbena.rdma.DeviceCapability;
import org.verbena.rdma.MemoryRegion;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.SendOperation;
import org.verbena.rdma.SendWorkRequest;
import org.verbena.rdma.spi.SendRequest;

/**
 * A send request, as the consumer fills it and as the provider reads it. For one thread at a time.
 *
 * <p>What needs a closer look when it is posted is noted when it is filled in, so that a plain request is posted after a
 * few comparisons.
 */
final class PreparedSend extends PreparedRequest implements SendWorkRequest, SendRequest {
    private static final int ATOMIC_BYTES = 8;

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

    /** Whether the operation is none at all, an atomic, or one that the device lacks, be it in part. */
    private boolean unusual = true;

    /** Whether the operation writes to the segments. */
    private boolean sink;

    PreparedSend(GuardedProtectionDomain domain, int maxSegments) {
        super(domain, maxSegments);
    }

    /** Finds what a consumer hands in. */
    static PreparedSend of(SendWorkRequest request, GuardedProtectionDomain domain) {
        if (request instanceof PreparedSend prepared && prepared.isOf(domain)) {
            return prepared;
        }
        throw foreign(request, domain);
    }

    /** Checks the request inside the gate. */
    void check(GuardedQueuePair queuePair) throws RdmaException {
        if (unusual
                || inline
                || sink && namesReadOnly()
                || segmentCount() > queuePair.maxSendSegments()
                || totalLength() > queuePair.maxMessageSize()) {
            checkAll(queuePair);
        }
        checkRegions();
    }

    private void checkAll(GuardedQueuePair queuePair) throws RdmaException {
        checkOperation();
        checkCount(queuePair, queuePair.maxSendSegments());
        if (totalLength() > queuePair.maxMessageSize()) {
            throw new RdmaException(
                    RdmaError.TOO_LARGE,
                    "a message of " + totalLength() + " bytes is too long: device " + limits().device()
                            + " takes up to " + queuePair.maxMessageSize());
        }
        if (inline) {
            checkInline(queuePair);
        }
        if (sink) {
            checkWritable();
        }
    }

    private void checkOperation() throws RdmaException {
        if (operation == null) {
            throw new IllegalArgumentException("the work request is not filled in: call send(), write() or the like");
        }
        DeviceCapability needed = needed(operation);
        if (needed != null) {
            limits().checkOffers(needed, "such operation as " + operation);
        }
        if (operation == SendOperation.SEND_WITH_IMMEDIATE && totalLength() > 0) {
            limits().checkOffers(DeviceCapability.SEND_WITH_IMMEDIATE_DATA, "immediate data with a send of bytes");
        }
        if (needed == DeviceCapability.ATOMICS && totalLength() != ATOMIC_BYTES) {
            throw new IllegalArgumentException(
                    "an atomic needs room for the 8 bytes that were there: the segments have " + totalLength());
        }
    }

    private static DeviceCapability needed(SendOperation operation) {
        return switch (operation) {
            case SEND, WRITE, READ -> null;
            case SEND_WITH_IMMEDIATE, WRITE_WITH_IMMEDIATE -> DeviceCapability.IMMEDIATE_DATA;
            case SEND_WITH_INVALIDATE -> DeviceCapability.SEND_WITH_INVALIDATE;
            case COMPARE_AND_SWAP, FETCH_AND_ADD -> DeviceCapability.ATOMICS;
        };
    }

    private void checkInline(GuardedQueuePair queuePair) throws RdmaException {
        if (sink) {
            throw new IllegalArgumentException("a read or an atomic cannot be inline");
        }
        if (totalLength() > queuePair.maxInlineData()) {
            throw new RdmaException(
                    RdmaError.TOO_LARGE,
                    totalLength() + " bytes are too many for an inline send: " + queuePair + " was made for up to "
                            + queuePair.maxInlineData());
        }
    }

    @Override
    public SendWorkRequest clear() {
        number(0);
        operation = null;
        unusual = true;
        sink = false;
        remoteAddress = 0;
        remoteKey = 0;
        immediateData = 0;
        compareOrAdd = 0;
        swap = 0;
        signaled = true;
        solicited = false;
        fenced = false;
        inline = false;
        removeSegments();
        return this;
    }

    @Override
    public SendWorkRequest workRequestId(long id) {
        number(id);
        return this;
    }

    @Override
    public SendWorkRequest segment(MemoryRegion region, long offset, long length) {
        add(region, offset, length);
        return this;
    }

    @Override
    public SendWorkRequest clearSegments() {
        removeSegments();
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
        DeviceCapability needed = needed(what);
        unusual = needed == DeviceCapability.ATOMICS
                || needed != null && !limits().offers(needed)
                || what == SendOperation.SEND_WITH_IMMEDIATE
                        && !limits().offers(DeviceCapability.SEND_WITH_IMMEDIATE_DATA);
        sink = what == SendOperation.READ || needed == DeviceCapability.ATOMICS;
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
