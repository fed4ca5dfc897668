package org.verbena.rdma.provider.iwarp.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.verbena.rdma.Access;
import org.verbena.rdma.spi.ProviderMemoryRegion;

/**
 * A memory region. Its buffer is touched on loops only, inside of a turn, after {@link #isClosed()} was seen to be false
 * in that turn; {@link #close()} sets it and waits for the turns to end (C19).
 *
 * <p>{@code closed} and {@code invalidated} are atomics. The views of a loop, buffers with a position of their own for
 * system calls and checksums, are lent and given back on that loop only, so that none is made per frame.
 */
public final class RegisteredMemory implements ProviderMemoryRegion {
    private static final int INITIAL_VIEWS = 4;
    private static final VarHandle WORDS = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private final StagTable table;
    private final IwarpProtectionDomain domain;
    private final ByteBuffer buffer;
    private final boolean localWrite;
    private final boolean remoteWrite;
    private final boolean remoteRead;
    private final boolean remoteAtomic;
    private final int stag;
    private final long base;
    private final int length;
    private final AtomicBoolean closed = new AtomicBoolean();
    private volatile boolean invalidated;
    private final ByteBuffer[][] views;
    private final int[] viewCounts;

    RegisteredMemory(
            StagTable table,
            IwarpProtectionDomain domain,
            ByteBuffer buffer,
            Set<Access> access,
            int stag,
            long base,
            int loopCount) {
        this.table = table;
        this.domain = domain;
        this.buffer = buffer.duplicate();
        this.length = buffer.limit();
        this.localWrite = access.contains(Access.LOCAL_WRITE);
        this.remoteWrite = access.contains(Access.REMOTE_WRITE);
        this.remoteRead = access.contains(Access.REMOTE_READ);
        this.remoteAtomic = access.contains(Access.REMOTE_ATOMIC);
        this.stag = stag;
        this.base = base;
        this.views = new ByteBuffer[loopCount][];
        this.viewCounts = new int[loopCount];
    }

    @Override
    public long remoteAddress() {
        return base;
    }

    @Override
    public int remoteKey() {
        return stag;
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            table.remove(this);
        }
    }

    void markClosed() {
        closed.set(true);
    }

    public boolean isClosed() {
        return closed.get();
    }

    /** Ends remote access, on behalf of a peer's Send with Invalidate. */
    public void invalidate() {
        invalidated = true;
    }

    public boolean isInvalidated() {
        return invalidated;
    }

    public boolean isIn(IwarpProtectionDomain other) {
        return domain == other;
    }

    public boolean allowsLocalWrite() {
        return localWrite;
    }

    public boolean allowsRemoteWrite() {
        return remoteWrite;
    }

    public boolean allowsRemoteRead() {
        return remoteRead;
    }

    public boolean allowsRemoteAtomic() {
        return remoteAtomic;
    }

    /** Whether a range of tagged offsets that does not wrap lies in this memory. */
    public boolean contains(long taggedOffset, long bytes) {
        long offset = taggedOffset - base;
        return offset >= 0 && offset <= length && bytes <= length - offset;
    }

    /** Where a tagged offset that this memory contains lies in it. */
    public int offsetOf(long taggedOffset) {
        return (int) (taggedOffset - base);
    }

    /** Puts bytes into the memory. On a loop only, when the memory is not closed. */
    public void put(int offset, ByteBuffer from, int fromOffset, int bytes) {
        buffer.put(offset, from, fromOffset, bytes);
    }

    /** Takes bytes out of the memory. On a loop only, when the memory is not closed. */
    public void get(int offset, ByteBuffer to, int toOffset, int bytes) {
        to.put(toOffset, buffer, offset, bytes);
    }

    /** Whether 64 bits at an offset can be worked on atomically. */
    public boolean isAligned(int offset) {
        return buffer.alignmentOffset(offset, Long.BYTES) == 0;
    }

    /**
     * Adds to 64 bits at an aligned offset, in the byte order of the machine, and returns what was there. Atomic with
     * respect to all loops, and to threads that use atomics on the buffer. On a loop only, when the memory is not closed.
     *
     * @param lastBits a bit is set at the end of each field that is added for itself (RFC 7306, section 5.1.1)
     */
    public long fetchAndAdd(int offset, long addend, long lastBits) {
        long before;
        do {
            before = (long) WORDS.getVolatile(buffer, offset);
        } while (!WORDS.weakCompareAndSet(buffer, offset, before, sum(before, addend, lastBits)));
        return before;
    }

    /** Adds field by field: all bits but the last of each field in one addition, the last ones without their carry. */
    private static long sum(long first, long second, long lastBits) {
        return (first & ~lastBits) + (second & ~lastBits) ^ (first ^ second) & lastBits;
    }

    /**
     * Puts some bits if some bits are as expected, and returns what was there. Atomic as {@link #fetchAndAdd} is (RFC
     * 7306, section 5.1.2).
     */
    public long compareAndSwap(int offset, long expected, long comparedBits, long replacement, long swappedBits) {
        long before;
        do {
            before = (long) WORDS.getVolatile(buffer, offset);
            if (((before ^ expected) & comparedBits) != 0) {
                return before;
            }
        } while (!WORDS.weakCompareAndSet(buffer, offset, before, before & ~swappedBits | replacement & swappedBits));
        return before;
    }

    /** Lends a buffer that shows a part of this memory. On the loop of that index only. */
    public ByteBuffer lendView(int loop, int offset, int bytes) {
        ByteBuffer view;
        if (viewCounts[loop] > 0) {
            view = views[loop][--viewCounts[loop]];
        } else {
            view = buffer.duplicate();
        }
        return view.limit(offset + bytes).position(offset);
    }

    /** Takes a view back. On the loop of that index only. */
    public void takeBack(int loop, ByteBuffer view) {
        ByteBuffer[] stack = views[loop];
        if (stack == null) {
            stack = new ByteBuffer[INITIAL_VIEWS];
            views[loop] = stack;
        } else if (viewCounts[loop] == stack.length) {
            stack = Arrays.copyOf(stack, stack.length * 2);
            views[loop] = stack;
        }
        stack[viewCounts[loop]++] = view;
    }
}
