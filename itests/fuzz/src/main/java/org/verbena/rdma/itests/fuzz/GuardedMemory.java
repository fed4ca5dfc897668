package org.verbena.rdma.itests.fuzz;

import java.nio.ByteBuffer;
import java.util.Set;
import org.verbena.rdma.Access;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.spi.ProviderMemoryRegion;
import org.verbena.rdma.spi.ProviderProtectionDomain;

/** A region with bytes on both sides of it that nobody may touch. */
final class GuardedMemory {
    static final byte PATTERN = (byte) 0xA5;
    private static final int GUARD = 128;

    private final ByteBuffer all;
    private final int size;
    private final ProviderMemoryRegion region;

    /**
     * Registers memory.
     *
     * @param extra how many bytes of the guard are registered too: 0, unless a defect is planted
     */
    GuardedMemory(ProviderProtectionDomain domain, ByteBuffer all, Set<Access> access, int extra) throws RdmaException {
        this.all = all;
        this.size = all.capacity() - 2 * GUARD;
        for (int i = 0; i < all.capacity(); i++) {
            all.put(i, PATTERN);
        }
        this.region = domain.registerMemory(all.slice(GUARD, size + extra), access);
    }

    static ByteBuffer allocate(int size) {
        return ByteBuffer.allocateDirect(size + 2 * GUARD);
    }

    ProviderMemoryRegion region() {
        return region;
    }

    int size() {
        return size;
    }

    /** Whether nothing around the region was touched. */
    boolean isGuardWhole() {
        return isUntouched(0, GUARD) && isUntouched(GUARD + size, GUARD);
    }

    /** Whether nothing in the region was touched. */
    boolean isUntouched() {
        return isUntouched(GUARD, size);
    }

    private boolean isUntouched(int from, int count) {
        for (int i = from; i < from + count; i++) {
            if (all.get(i) != PATTERN) {
                return false;
            }
        }
        return true;
    }
}
