package org.verbena.rdma.core.verbs;

import java.util.Objects;
import org.verbena.rdma.MemoryRegion;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.spi.ProviderMemoryRegion;

/** The segments of a work request. For one thread at a time. */
final class Segments {
    private final GuardedProtectionDomain domain;
    private final GuardedMemoryRegion[] regions;
    private final long[] offsets;
    private final long[] lengths;
    private int count;
    private long total;

    Segments(GuardedProtectionDomain domain, int capacity) {
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

    GuardedProtectionDomain domain() {
        return domain;
    }

    void add(MemoryRegion region, long offset, long length) {
        add(own(region), offset, length);
    }

    void addWritable(MemoryRegion region, long offset, long length) {
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
    }

    void clear() {
        for (int i = 0; i < count; i++) {
            regions[i] = null;
        }
        count = 0;
        total = 0;
    }

    void checkCount(GuardedObject queue, int most) {
        if (count > most) {
            throw new IllegalArgumentException(
                    "the work request has " + count + " segments: " + queue + " was made for up to " + most);
        }
    }

    /** Checks that the regions are there; only inside a gate does the answer stay true. */
    void checkRegions(boolean written) throws RdmaException {
        for (int i = 0; i < count; i++) {
            GuardedMemoryRegion region = regions[i];
            if (!region.isUsable()) {
                throw overFor(region);
            }
            if (written && !region.isLocallyWritable()) {
                throw new RdmaException(
                        RdmaError.BAD_ADDRESS,
                        region + " cannot be written by the device: register it with LOCAL_WRITE");
            }
        }
    }

    private static RdmaException overFor(GuardedMemoryRegion region) {
        if (region.fate != Fate.CLOSED) {
            return region.refusal(); // the queue goes as well, with the device or the session
        }
        return new RdmaException(RdmaError.BAD_ADDRESS, region + " is closed: the work request must not name it");
    }

    int count() {
        return count;
    }

    long totalLength() {
        return total;
    }

    ProviderMemoryRegion region(int index) {
        return regions[Objects.checkIndex(index, count)].provider();
    }

    long offset(int index) {
        return offsets[Objects.checkIndex(index, count)];
    }

    long length(int index) {
        return lengths[Objects.checkIndex(index, count)];
    }
}
