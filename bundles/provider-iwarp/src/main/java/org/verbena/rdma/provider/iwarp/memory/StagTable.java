package org.verbena.rdma.provider.iwarp.memory;

import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.ReentrantLock;
import org.verbena.rdma.Access;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.provider.iwarp.loop.EventLoops;

/**
 * The STags of a device. An STag is 32 random bits and its memory starts at a random tagged offset, so that a peer cannot
 * guess what it was not told.
 *
 * <p>A hash table with linear probing, never more than half full. Looking up takes no lock and makes no object: it reads
 * the array through the volatile {@code slots}. Changing it takes {@code lock}; what was removed leaves a mark behind,
 * until the table is laid out anew.
 */
public final class StagTable {
    private static final int INITIAL_SLOTS = 64;
    private static final int MAX_REGIONS = 1 << 22;
    private static final long BASE_ALIGNMENT_MASK = ~0xFFFL;
    private static final long BASE_MASK = 0x3FFF_FFFF_FFFF_FFFFL;

    private final EventLoops loops;
    private final int loopCount;
    private final SecureRandom random = new SecureRandom();
    private final ReentrantLock lock = new ReentrantLock();

    /** Stands where memory was; it is closed, so nobody finds it. */
    private final RegisteredMemory mark;

    private volatile AtomicReferenceArray<RegisteredMemory> slots = new AtomicReferenceArray<>(INITIAL_SLOTS);

    /** Slots that are not null, marks included. Guarded by the lock. */
    private int used;

    /** Regions in the table. Guarded by the lock. */
    private int live;

    public StagTable(EventLoops loops) {
        this.loops = loops;
        this.loopCount = loops.all().size();
        this.mark = new RegisteredMemory(this, null, ByteBuffer.allocate(0), Set.of(), 0, 0, 0);
        this.mark.markClosed();
    }

    RegisteredMemory register(IwarpProtectionDomain domain, ByteBuffer buffer, Set<Access> access)
            throws RdmaException {
        // What is aligned in memory is aligned in tagged offsets, and the other way round.
        long base = random.nextLong() & BASE_MASK & BASE_ALIGNMENT_MASK | buffer.alignmentOffset(0, Long.BYTES);
        EnumSet<Access> rights = EnumSet.noneOf(Access.class);
        rights.addAll(access);
        lock.lock();
        try {
            if (live >= MAX_REGIONS) {
                throw new RdmaException(
                        RdmaError.NO_MEMORY, "the device has " + live + " memory regions: close some of them");
            }
            int stag;
            do {
                stag = random.nextInt();
            } while (stag == 0 || find(stag) != null);
            RegisteredMemory memory = new RegisteredMemory(this, domain, buffer, rights, stag, base, loopCount);
            if ((used + 1) * 2 > slots.length()) {
                layOut();
            }
            insert(slots, memory);
            used++;
            live++;
            return memory;
        } finally {
            lock.unlock();
        }
    }

    /** Returns the memory of an STag, or {@code null}; may be called on any thread. */
    public RegisteredMemory find(int stag) {
        AtomicReferenceArray<RegisteredMemory> table = slots;
        int mask = table.length() - 1;
        for (int at = start(stag, mask); ; at = at + 1 & mask) {
            RegisteredMemory memory = table.get(at);
            if (memory == null) {
                return null;
            }
            if (memory.remoteKey() == stag && !memory.isClosed()) {
                return memory;
            }
        }
    }

    /** Takes memory out, and returns when no loop touches it any more. */
    void remove(RegisteredMemory memory) {
        lock.lock();
        try {
            live--;
            if (live == 0) {
                slots = new AtomicReferenceArray<>(INITIAL_SLOTS);
                used = 0;
            } else {
                replace(slots, memory);
            }
        } finally {
            lock.unlock();
        }
        loops.awaitTurnEnds();
    }

    private void layOut() {
        AtomicReferenceArray<RegisteredMemory> before = slots;
        int size = INITIAL_SLOTS;
        while (size < (live + 1) * 4) {
            size *= 2;
        }
        AtomicReferenceArray<RegisteredMemory> after = new AtomicReferenceArray<>(size);
        int kept = 0;
        for (int i = 0; i < before.length(); i++) {
            RegisteredMemory memory = before.get(i);
            // Closed memory too, as long as nobody has taken it out: whoever has closed it is about to.
            if (memory != null && memory != mark) {
                insert(after, memory);
                kept++;
            }
        }
        slots = after;
        used = kept;
    }

    private static void insert(AtomicReferenceArray<RegisteredMemory> table, RegisteredMemory memory) {
        int mask = table.length() - 1;
        int at = start(memory.remoteKey(), mask);
        while (table.get(at) != null) {
            at = at + 1 & mask;
        }
        table.set(at, memory);
    }

    private void replace(AtomicReferenceArray<RegisteredMemory> table, RegisteredMemory memory) {
        int slotMask = table.length() - 1;
        int at = start(memory.remoteKey(), slotMask);
        while (table.get(at) != memory) {
            at = at + 1 & slotMask;
        }
        table.set(at, mark);
    }

    private static int start(int stag, int mask) {
        return (stag ^ stag >>> 16) & mask;
    }
}
