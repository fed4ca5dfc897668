package org.verbena.rdma.provider.iwarp.queue;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.WorkCompletionOperation;
import org.verbena.rdma.WorkCompletionStatus;
import org.verbena.rdma.spi.CompletionSink;
import org.verbena.rdma.spi.CompletionUpcalls;
import org.verbena.rdma.spi.ProviderCompletionQueue;

/**
 * A completion queue: a bounded ring that many loops fill and many threads poll, without a lock and without an object per
 * completion.
 *
 * <p>{@code sequences[i]} says whose turn a slot is: equal to a position, it may be filled for that position; one more,
 * it may be taken. Whoever moves {@code tail} or {@code head} over a position owns the slot until it sets the sequence
 * anew; the plain arrays are written and read only by that owner. {@code armed} and {@code broken} are atomics: a loop
 * fills, then looks whether a notification was asked for; a consumer asks, then polls once more, so none is missed.
 *
 * <p>A thread that finds nothing has what it polls for moved on by the {@link Polled} of this queue. {@code polled} is an
 * array that is never changed, in a volatile field that is written under {@code this}. {@code emptyPolls} and
 * {@code lastTaken} are read and written without order, and may miss some.
 */
public final class CompletionRing implements ProviderCompletionQueue {
    private static final WorkCompletionStatus[] STATUSES = WorkCompletionStatus.values();
    private static final WorkCompletionOperation[] OPERATIONS = WorkCompletionOperation.values();
    private static final VarHandle EMPTY_POLLS;

    /** After how many polls for nothing, one after the other, it is worth while to be moved on by them. */
    private static final int SPUN_ON = 64;

    private static final int MAX_POLLED = 4;

    /** A send and a receive: what a poll finds where one message goes at a time. */
    private static final int BULK = 2;

    private static final Polled[] NOTHING = {};
    private static final int ARMED_NOT = 0;
    private static final int ARMED_SOLICITED = 1;
    private static final int ARMED_ANY = 2;

    static {
        try {
            EMPTY_POLLS = MethodHandles.lookup().findVarHandle(CompletionRing.class, "emptyPolls", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final int entries;
    private final int mask;
    private final CompletionUpcalls upcalls;
    private final AtomicLongArray sequences;
    private final long[] workRequestIds;
    private final long[] byteCounts;
    private final byte[] statuses;
    private final byte[] operations;
    private final byte[] flags;
    private final int[] queuePairNumbers;
    private final int[] keysOrImmediates;
    private final int[] vendorErrors;
    private final AtomicLong tail = new AtomicLong();
    private final AtomicLong head = new AtomicLong();
    private final AtomicInteger armed = new AtomicInteger(ARMED_NOT);
    private final Set<Runnable> failures = ConcurrentHashMap.newKeySet();
    private volatile boolean broken;
    private volatile Polled[] polled = NOTHING;
    private long emptyPolls;
    private int lastTaken;
    private volatile long emptyPollsBefore;

    public CompletionRing(int entries, CompletionUpcalls upcalls) {
        int capacity = Rings.capacity(entries);
        this.entries = entries;
        this.mask = capacity - 1;
        this.upcalls = upcalls;
        this.sequences = new AtomicLongArray(capacity);
        for (int i = 0; i < capacity; i++) {
            sequences.setPlain(i, i);
        }
        this.workRequestIds = new long[capacity];
        this.byteCounts = new long[capacity];
        this.statuses = new byte[capacity];
        this.operations = new byte[capacity];
        this.flags = new byte[capacity];
        this.queuePairNumbers = new int[capacity];
        this.keysOrImmediates = new int[capacity];
        this.vendorErrors = new int[capacity];
    }

    /** Has a queue pair told when this queue breaks; {@code failure} must only hand over work. */
    public void attach(Runnable failure) {
        failures.add(failure);
    }

    public void detach(Runnable failure) {
        failures.remove(failure);
    }

    /** Whether somebody polls again and again, and does not sleep between. */
    public boolean isSpunOn() {
        return emptyPolls() - emptyPollsBefore >= SPUN_ON;
    }

    /** Grows while somebody polls and finds nothing. */
    public long emptyPolls() {
        return (long) EMPTY_POLLS.getOpaque(this);
    }

    /** Takes it that nobody polls again and again, until that is seen anew. */
    public void forgetPolls() {
        emptyPollsBefore = emptyPolls();
    }

    /** Has something moved on by whoever polls; {@code false} if there is enough of that. */
    public synchronized boolean add(Polled added) {
        if (polled.length == MAX_POLLED) {
            return false;
        }
        Polled[] more = Arrays.copyOf(polled, polled.length + 1);
        more[polled.length] = added;
        polled = more;
        return true;
    }

    public synchronized void remove(Polled removed) {
        polled = Arrays.stream(polled).filter(kept -> kept != removed).toArray(Polled[]::new);
    }

    /** Whether queue pairs are attached that are not moved on by whoever polls. */
    public boolean hasOthers() {
        return failures.size() > polled.length;
    }

    /** Puts a completion in, on a loop, and makes the upcall that was asked for. */
    public void add(
            long workRequestId,
            WorkCompletionStatus status,
            WorkCompletionOperation operation,
            long byteCount,
            int queuePairNumber,
            int flagBits,
            int keyOrImmediate,
            int vendorError,
            boolean solicited) {
        long position = claim();
        if (position < 0) {
            overflow();
            return;
        }
        int at = (int) position & mask;
        workRequestIds[at] = workRequestId;
        statuses[at] = (byte) status.ordinal();
        operations[at] = (byte) operation.ordinal();
        byteCounts[at] = byteCount;
        queuePairNumbers[at] = queuePairNumber;
        flags[at] = (byte) flagBits;
        keysOrImmediates[at] = keyOrImmediate;
        vendorErrors[at] = vendorError;
        // A volatile write: it must not pass the look at armed.
        sequences.set(at, position + 1);
        notifyIfArmed(solicited || status != WorkCompletionStatus.SUCCESS);
    }

    private long claim() {
        while (!broken) {
            long position = tail.get();
            long difference = sequences.get((int) position & mask) - position;
            if (difference == 0) {
                if (tail.compareAndSet(position, position + 1)) {
                    return position;
                }
            } else if (difference < 0 && tail.get() == position) {
                if (position - head.get() > mask) {
                    return -1;
                }
                // Not full: a thread that polls has taken the slot, and is about to give it back.
                Thread.yield();
            }
        }
        return -1;
    }

    private void overflow() {
        if (!broken) {
            broken = true;
            failures.forEach(Runnable::run);
            notifyIfArmed(true);
        }
    }

    private void notifyIfArmed(boolean counts) {
        int now = armed.get();
        if (now == ARMED_ANY || now == ARMED_SOLICITED && counts) {
            if (armed.getAndSet(ARMED_NOT) != ARMED_NOT) {
                upcalls.completionEvent();
            }
        }
    }

    @Override
    public int entries() {
        return entries;
    }

    @Override
    public int poll(CompletionSink sink, int max) throws RdmaException {
        int taken = takeAll(sink, max);
        if (taken == 0) {
            taken = moveOn(sink, max);
        }
        if (taken > 0) {
            lastTaken = taken;
        }
        if (taken == 0 && broken) {
            throw overflowed();
        }
        return taken;
    }

    private int moveOn(CompletionSink sink, int max) {
        EMPTY_POLLS.setOpaque(this, emptyPolls() + 1);
        Polled[] all = polled;
        if (all.length == 0) {
            return 0;
        }
        for (Polled each : all) {
            each.moveOn(lastTaken > BULK);
        }
        return takeAll(sink, max);
    }

    private int takeAll(CompletionSink sink, int max) {
        int taken = 0;
        while (taken < max) {
            long position = head.get();
            int at = (int) position & mask;
            long difference = sequences.get(at) - (position + 1);
            if (difference == 0) {
                if (head.compareAndSet(position, position + 1)) {
                    take(sink, at, position);
                    taken++;
                }
            } else if (difference < 0) {
                break;
            }
        }
        return taken;
    }

    private void take(CompletionSink sink, int at, long position) {
        long workRequestId = workRequestIds[at];
        WorkCompletionStatus status = STATUSES[statuses[at]];
        WorkCompletionOperation operation = OPERATIONS[operations[at]];
        long byteCount = byteCounts[at];
        int queuePairNumber = queuePairNumbers[at];
        int flagBits = flags[at];
        int keyOrImmediate = keysOrImmediates[at];
        int vendorError = vendorErrors[at];
        sequences.setRelease(at, position + mask + 1);
        sink.completion(
                workRequestId, status, operation, byteCount, queuePairNumber, flagBits, keyOrImmediate, vendorError);
    }

    @Override
    public void requestNotification(boolean solicitedOnly) throws RdmaException {
        if (broken) {
            throw overflowed();
        }
        forgetPolls();
        for (Polled each : polled) {
            each.leave();
        }
        int wanted = solicitedOnly ? ARMED_SOLICITED : ARMED_ANY;
        int now;
        do {
            now = armed.get();
            if (now >= wanted) {
                return;
            }
        } while (!armed.compareAndSet(now, wanted));
    }

    private RdmaException overflowed() {
        return new RdmaException(
                RdmaError.INPUT_OUTPUT,
                "the completion queue has overflowed: make it as large as all work that may be outstanding, " + entries
                        + " entries were too few");
    }

    @Override
    public void close() {
        failures.clear();
    }
}
