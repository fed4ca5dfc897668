package org.verbena.rdma.provider.iwarp.stream;

import org.verbena.rdma.provider.iwarp.loop.EventLoop;
import org.verbena.rdma.provider.iwarp.loop.LoopWork;
import org.verbena.rdma.provider.iwarp.queue.CompletionRing;
import org.verbena.rdma.provider.iwarp.queue.Polled;

/**
 * Who serves a stream: its loop's thread, or whoever polls its completion queue. A consumer that polls without pause is
 * there already when a message comes, while the loop's thread would have to be woken, and then would take the processor
 * from the consumer. So a stream is leased to those who poll when something comes for it while they do: the selector is
 * not asked about it any more, and each poll that finds nothing reads from the socket and writes what was posted.
 * Where several completions are taken at a time, what was posted waits for what has come meanwhile: both then go in fewer
 * and larger pieces.
 *
 * <p>From time to time the loop's thread looks whether there were polls, and serves the stream itself if not. The lease
 * ends when it has seen none for some times, when a notification is asked for, when the stream has been idle for long
 * while others share the queue, and with the stream.
 *
 * <p>{@code active} is volatile, written on the loop. Who posts defers the work, then looks whether there is still a
 * lease; the end of a lease comes before the loop looks for work: nothing posted is left behind. All else on the loop
 * only.
 */
final class Lease implements Polled {
    /** How many times no poll is seen before it is taken for a pause: who polls may have lost the processor for a while. */
    private static final int IDLE_LOOKS = 4;

    private static final int MAX_READS_FIRST = 4;

    /** How many reads for nothing make room for another stream of the queue. */
    private static final int IDLE_READS = 20_000;

    /** The stream, as seen from here. On the loop. */
    interface Leased {
        /**
         * Reads and writes what there is.
         *
         * @param readFirst whether nothing is written if something came
         * @return whether something came
         */
        boolean serve(boolean readFirst);

        /** Whether the selector is to be asked about the stream has changed. */
        void leaseChanged();
    }

    private final EventLoop loop;
    private final boolean allowed;
    private final CompletionRing receives;
    private final CompletionRing sends;
    private final Leased stream;
    private final Runnable look = this::look;
    private final Runnable turn = this::serve;
    private final Runnable readFirst = this::readFirst;
    private final LoopWork end = new LoopWork() {
        @Override
        protected void run() {
            end();
        }
    };
    private CompletionRing ring;
    private long pollsSeen;
    private int idleReads;
    private int idleLooks;

    /** How often in a row was read before anything was written. Counts roughly: any thread, without order. */
    private int reads;

    private volatile boolean active;

    Lease(EventLoop loop, boolean allowed, CompletionRing receives, CompletionRing sends, Leased stream) {
        this.loop = loop;
        this.allowed = allowed && !loop.spins();
        this.receives = receives;
        this.sends = sends;
        this.stream = stream;
    }

    boolean isActive() {
        return active;
    }

    /** Something has come for the stream, and the loop's thread had to be woken for it. */
    void consider() {
        if (!allowed || active) {
            return;
        }
        CompletionRing candidate = receives.isSpunOn() ? receives : sends;
        if (candidate.isSpunOn() && candidate.add(this)) {
            ring = candidate;
            active = true;
            idleReads = 0;
            idleLooks = 0;
            pollsSeen = ring.emptyPolls();
            stream.leaseChanged();
            loop.beginLooks(look);
        }
    }

    private void look() {
        long polls = ring.emptyPolls();
        if (polls != pollsSeen) {
            pollsSeen = polls;
            idleLooks = 0;
        } else if (++idleLooks == IDLE_LOOKS) {
            ring.forgetPolls();
            end();
        } else {
            serve();
        }
    }

    /** There is work for the stream, on any thread: it is done with the next poll. */
    void defer(LoopWork work) {
        loop.defer(work);
        if (!active) {
            // Whatever it does, the loop's thread is awake then.
            loop.schedule(end);
        }
    }

    @Override
    public void moveOn(boolean inBulk) {
        if (inBulk && reads < MAX_READS_FIRST) {
            reads++;
            loop.help(readFirst, false);
        } else {
            reads = 0;
            loop.help(turn, true);
        }
    }

    private void serve() {
        serve(false);
    }

    private void readFirst() {
        serve(true);
    }

    private void serve(boolean first) {
        if (!active) {
            return;
        }
        if (stream.serve(first)) {
            idleReads = 0;
        } else if (++idleReads >= IDLE_READS && active) {
            idleReads = 0;
            if (ring.hasOthers()) {
                end();
            }
        }
    }

    @Override
    public void leave() {
        loop.schedule(end);
    }

    /** The loop's thread serves the stream again. */
    void end() {
        if (active) {
            active = false;
            ring.remove(this);
            loop.endLooks(look);
            stream.leaseChanged();
        }
    }
}
