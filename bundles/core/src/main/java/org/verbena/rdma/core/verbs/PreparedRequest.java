package org.verbena.rdma.core.verbs;

import java.util.Objects;
import org.verbena.rdma.MemoryRegion;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.spi.ProviderMemoryRegion;
import org.verbena.rdma.spi.ReceiveRequest;

/**
 * What work requests have in common: their number and their segments, filled in by the consumer and read by the provider.
 * For one thread at a time.
 */
abstract class PreparedRequest implements ReceiveRequest {
    private static final long NEVER = -1;

    private final GuardedProtectionDomain domain;
    private final GuardedMemoryRegion[] regions;
    private final long[] offsets;
    private final long[] lengths;
    private int count;
    private int readOnly;
    private long total;
    private long workRequestId;

    /** How many regions of the domain had ended when those named here were seen to be open. */
    private long checkedAt = NEVER;

    PreparedRequest(GuardedProtectionDomain domain, int capacity) {
        this.domain = domain;
        regions = new GuardedMemoryRegion[capacity];
        offsets = new long[capacity];
        lengths = new long[capacity];
    }

    /** Refuses a request that was not made by a domain. */
    static IllegalArgumentException foreign(Object request, GuardedProtectionDomain domain) {
        Objects.requireNonNull(request, "request");
        return new IllegalArgumentException("the work request was not made by " + domain + ", which the queue is in");
    }

    final boolean isOf(GuardedProtectionDomain wanted) {
        return domain == wanted;
    }

    final DeviceLimits limits() {
        return domain.home.limits();
    }

    final void number(long id) {
        workRequestId = id;
    }

    final void add(MemoryRegion region, long offset, long length) {
        add(own(region), offset, length);
    }

    final void addWritable(MemoryRegion region, long offset, long length) {
        GuardedMemoryRegion own = own(region);
        if (!own.isLocallyWritable()) {
            throw new IllegalArgumentException(own + " cannot take what is received: register it with LOCAL_WRITE");
        }
        add(own, offset, length);
    }

    private GuardedMemoryRegion own(MemoryRegion region) {
        Objects.requireNonNull(region, "region");
        if (region instanceof GuardedMemoryRegion own && own.domain() == domain) {
            return own;
        }
        throw new IllegalArgumentException(region + " is not in " + domain + ", which the work request is for");
    }

    private void add(GuardedMemoryRegion region, long offset, long length) {
        if (offset < 0 || length < 0 || offset > region.length() - length) {
            throw new IllegalArgumentException("the segment of " + length + " bytes at offset " + offset
                    + " does not lie in " + region + ", which has " + region.length() + " bytes");
        }
        if (count == regions.length) {
            throw new IllegalStateException("the work request has room for " + count + " segments only");
        }
        regions[count] = region;
        offsets[count] = offset;
        lengths[count] = length;
        total += length;
        count++;
        if (!region.isLocallyWritable()) {
            readOnly++;
        }
        checkedAt = NEVER;
    }

    final void removeSegments() {
        for (int i = 0; i < count; i++) {
            regions[i] = null;
        }
        count = 0;
        readOnly = 0;
        total = 0;
    }

    final void checkCount(GuardedObject queue, int most) {
        if (count > most) {
            throw new IllegalArgumentException(
                    "the work request has " + count + " segments: " + queue + " was made for up to " + most);
        }
    }

    /**
     * Checks that the regions are open; only inside a gate below that of the domain does the answer stay true. It has
     * changed only if a region of the domain has ended since it was given last.
     */
    final void checkRegions() throws RdmaException {
        long ended = domain.endedRegions();
        if (checkedAt == ended) {
            return;
        }
        for (int i = 0; i < count; i++) {
            if (!regions[i].isUsable()) {
                throw overFor(regions[i]);
            }
        }
        checkedAt = ended;
    }

    private static RdmaException overFor(GuardedMemoryRegion region) {
        if (region.fate != Fate.CLOSED) {
            return region.refusal(); // the queue goes as well, with the device or the session
        }
        return new RdmaException(RdmaError.BAD_ADDRESS, region + " is closed: the work request must not name it");
    }

    /** Whether a segment must not be written to by the device. */
    final boolean namesReadOnly() {
        return readOnly != 0;
    }

    /** Checks that the device may write to all segments. */
    final void checkWritable() throws RdmaException {
        for (int i = 0; i < count; i++) {
            if (!regions[i].isLocallyWritable()) {
                throw new RdmaException(
                        RdmaError.BAD_ADDRESS,
                        regions[i] + " cannot be written by the device: register it with LOCAL_WRITE");
            }
        }
    }

    @Override
    public final long workRequestId() {
        return workRequestId;
    }

    @Override
    public final int segmentCount() {
        return count;
    }

    @Override
    public final long totalLength() {
        return total;
    }

    @Override
    public final ProviderMemoryRegion region(int index) {
        return regions[Objects.checkIndex(index, count)].provider();
    }

    @Override
    public final long offset(int index) {
        return offsets[Objects.checkIndex(index, count)];
    }

    @Override
    public final long length(int index) {
        return lengths[Objects.checkIndex(index, count)];
    }
}
