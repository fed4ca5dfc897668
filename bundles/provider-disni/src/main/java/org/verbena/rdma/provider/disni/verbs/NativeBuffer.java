package org.verbena.rdma.provider.disni.verbs;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.verbena.rdma.disni.VerbsNatives;

/** Memory that natives read or write, in the order of the host. Guarded by who owns it. */
public final class NativeBuffer {
    private final ByteBuffer buffer;
    private final long address;

    /**
     * Allocates memory.
     *
     * @param natives tells where it is
     * @param bytes how much
     */
    public NativeBuffer(VerbsNatives natives, int bytes) {
        buffer = ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
        address = natives.address(buffer);
    }

    /**
     * Returns where the memory is.
     *
     * @return its address
     */
    public long address() {
        return address;
    }

    /**
     * Returns the memory.
     *
     * @return the buffer, in the order of the host
     */
    public ByteBuffer bytes() {
        return buffer;
    }
}
