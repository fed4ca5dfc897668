package org.verbena.rdma.provider.iwarp.peer;

import java.nio.ByteBuffer;
import org.verbena.rdma.spi.ProviderMemoryRegion;

/**
 * Registered memory of a test.
 *
 * @param buffer all of it, position 0 to limit
 * @param region the provider's region
 */
public record Memory(ByteBuffer buffer, ProviderMemoryRegion region) {
    public int size() {
        return buffer.limit();
    }

    public long address() {
        return region.remoteAddress();
    }

    public int key() {
        return region.remoteKey();
    }

    /** Fills it with bytes that tell where they are. */
    public Memory fill(int seed) {
        for (int i = 0; i < size(); i++) {
            buffer.put(i, pattern(seed, i));
        }
        return this;
    }

    public static byte pattern(int seed, int at) {
        return (byte) (seed + at * 31 + (at >>> 8) * 17);
    }

    public byte[] bytes() {
        byte[] bytes = new byte[size()];
        buffer.get(0, bytes);
        return bytes;
    }

    public byte[] bytes(int offset, int length) {
        byte[] bytes = new byte[length];
        buffer.get(offset, bytes);
        return bytes;
    }
}
