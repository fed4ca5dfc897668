package org.verbena.rdma.provider.iwarp.loop;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.security.AccessController;
import java.security.PrivilegedAction;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One thread that serves many connections: it waits for ready channels, for work handed over by other threads, and for
 * timers. Everything of a connection happens on the loop that it belongs to, so none of it needs a lock.
 *
 * <p>Other threads reach the loop through {@link #execute} (a task), {@link #schedule} (work that makes no object) and
 * {@link #awaitTurnEnd}. Both queues are lock-free; the selector is woken only if the loop sleeps, and once however many
 * threads hand over work. Before it sleeps a loop may look for work for a while, which costs a processor and saves waking
 * it.
 *
 * <p>A thread that polls for what the loop does may do it itself: {@link #help}; so does one that would only
 * {@linkplain #executeAndWait wait}. What "on the loop" means is therefore: as its {@code holder}. The loop's thread holds the loop but while it sleeps; others take it only then, and give it back
 * after some turns. {@code holder} is an atomic, and hands all that belongs to the loop from one thread to the next.
 * The selector, and tasks that wait, are the loop's thread's alone; what others change of keys and timers wakes it.
 *
 * <p>What the loop does is cut into turns: one channel that is ready, one piece of work, one task. {@code turns} is odd
 * while a turn is under way. Only the holder writes it, at the start of a turn by a volatile write, so that another thread
 * that first forbids something (a volatile write) and then sees no turn, or the end of the turn, knows that the loop
 * either is done with it or sees that it is forbidden.
 *
 * <p>Keys and timers are touched on the loop only.
 */
public final class EventLoop {
    private static final Logger LOG = LoggerFactory.getLogger(EventLoop.class);
    private static final int RUNNING = 0;
    private static final int STOPPING = 1;
    private static final int STOPPED = 2;
    private static final int SPINS = 200;
    private static final long SPIN_PARK_NANOS = 20_000;
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final VarHandle TURNS;
    private static final VarHandle ASLEEP;
    private static final VarHandle HOLDER;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            TURNS = lookup.findVarHandle(EventLoop.class, "turns", long.class);
            ASLEEP = lookup.findVarHandle(EventLoop.class, "asleep", boolean.class);
            HOLDER = lookup.findVarHandle(EventLoop.class, "holder", Thread.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final int index;
    private final long spinNanos;
    private final Selector selector;
    private final Thread thread;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicReference<LoopWork> works = new AtomicReference<>();

    /** Work that nobody is woken for, and that does not keep the loop's thread from sleeping. */
    private final AtomicReference<LoopWork> deferred = new AtomicReference<>();

    private final AtomicInteger state = new AtomicInteger(RUNNING);
    private final List<CountDownLatch> afterSelect = new ArrayList<>();
    private final TreeSet<Timer> timers = new TreeSet<>();
    private final List<Runnable> looks = new ArrayList<>();
    private long lookedAt;
    private final Consumer<SelectionKey> dispatch = this::dispatch;
    private final Consumer<SelectionKey> wakeAndDispatch = this::wakeAndDispatch;
    private long timerNumber;
    private volatile boolean asleep;
    private volatile long turns;
    private volatile Thread holder;

    /** The loop's thread waits for the loop: others shall not take it now. */
    private volatile boolean wanted;

    EventLoop(String name, int index, long spinNanos) throws IOException {
        this.index = index;
        this.spinNanos = spinNanos;
        this.selector = Selector.open();
        this.thread = thread(this::run, name);
    }

    /** Whoever has opened the device must not have its class loader kept: not by the stack, nor as the context's. */
    @SuppressWarnings("removal")
    private static Thread thread(Runnable work, String name) {
        Thread thread =
                AccessController.doPrivileged((PrivilegedAction<Thread>) () -> new Thread(null, work, name, 0, false));
        thread.setContextClassLoader(EventLoop.class.getClassLoader());
        thread.setDaemon(true);
        return thread;
    }

    void start() {
        thread.start();
    }

    /** Tells this loop from the others of its device. */
    public int index() {
        return index;
    }

    /** Whether the calling thread is this loop's, or does its work now. */
    public boolean isCurrent() {
        return Thread.currentThread() == holder;
    }

    /** Whether the loop looks for work all the time, so that it needs no {@linkplain #help help}. */
    public boolean spins() {
        return spinNanos > 0;
    }

    /** Runs a task on the loop, soon. A task that comes after the loop has stopped runs on the caller's thread. */
    public void execute(Runnable task) {
        if (state.get() == STOPPED) {
            task.run();
            return;
        }
        tasks.add(task);
        if (state.get() == STOPPED && tasks.remove(task)) {
            task.run();
            return;
        }
        wakeUp();
    }

    /**
     * Runs a task on the loop and returns when it is done; at once if the caller is on the loop, and by the caller itself
     * if the loop sleeps.
     */
    public void executeAndWait(Runnable task) {
        if (isCurrent()) {
            task.run();
            return;
        }
        if (runHere(task)) {
            return;
        }
        CountDownLatch done = new CountDownLatch(1);
        execute(() -> {
            try {
                task.run();
            } finally {
                done.countDown();
            }
        });
        awaitUninterruptibly(done);
    }

    /** Runs a task on the calling thread; {@code false} if the loop is at work or has tasks that came before. */
    private boolean runHere(Runnable task) {
        if (wanted || !hold()) {
            return false;
        }
        try {
            if (!tasks.isEmpty()) {
                return false;
            }
            runInTurn(task);
            return true;
        } finally {
            holder = null;
        }
    }

    /** Has work performed on the loop, soon. Allocates nothing, takes no lock. */
    public void schedule(LoopWork work) {
        if (work.claim()) {
            push(work, works);
            wakeUp();
        }
    }

    /**
     * Has work performed on the loop without waking it: by who {@linkplain #help helps} next, or when it is awake anyway.
     * Allocates nothing, takes no lock.
     */
    public void defer(LoopWork work) {
        if (work.claim()) {
            push(work, deferred);
        }
    }

    private static void push(LoopWork work, AtomicReference<LoopWork> list) {
        LoopWork head;
        do {
            head = list.getPlain();
            work.next = head;
        } while (!list.compareAndSet(head, work));
    }

    /**
     * Performs the work that waits, then something more, on the calling thread, unless another thread is at it. Allocates
     * nothing, never waits.
     *
     * @param turn what to do in a turn of its own
     * @param withDeferred whether deferred work is done too; it does not wait for long
     */
    public void help(Runnable turn, boolean withDeferred) {
        if (wanted || !hold()) {
            return;
        }
        try {
            performWorks(works);
            if (withDeferred) {
                performWorks(deferred);
            }
            runInTurn(turn);
        } finally {
            holder = null;
        }
    }

    /** Has the loop look anew at what its keys and timers ask for. */
    public void selectAnew() {
        if (Thread.currentThread() != thread) {
            selector.wakeup();
        }
    }

    /** Has something done on the loop later. Called on the loop. */
    public Timer after(long nanos, Runnable action) {
        Timer timer = new Timer(timers, System.nanoTime() + nanos, timerNumber++, action);
        timers.add(timer);
        selectAnew();
        return timer;
    }

    /** Has something done about every millisecond by the loop's thread. It allocates nothing. Called on the loop. */
    public void beginLooks(Runnable look) {
        looks.add(look);
        selectAnew();
    }

    /** Ends what {@link #beginLooks} has begun; also from within it. Called on the loop. */
    public void endLooks(Runnable look) {
        looks.remove(look);
    }

    /**
     * Closes a channel that this loop watches, and returns when the operating system has closed it too: only then can
     * another one have its port. Does not wait on the loop itself.
     */
    public void closeAndWait(SelectableChannel channel) {
        CountDownLatch done = new CountDownLatch(1);
        execute(() -> {
            closeQuietly(channel);
            if (state.get() == STOPPED) {
                done.countDown();
            } else {
                afterSelect.add(done);
            }
        });
        if (!isCurrent()) {
            awaitUninterruptibly(done);
        }
    }

    /** Has a channel watched. Called on the loop. */
    public SelectionKey register(SelectableChannel channel, int operations, ReadyHandler handler)
            throws ClosedChannelException {
        return channel.register(selector, operations, handler);
    }

    /** Returns when the turn that was under way at the call has ended; at once on the loop itself. */
    public void awaitTurnEnd() {
        long turn = turns;
        if ((turn & 1) == 0 || isCurrent()) {
            return;
        }
        for (int spins = 0; turns == turn && thread.isAlive(); spins++) {
            if (spins < SPINS) {
                Thread.onSpinWait();
            } else {
                LockSupport.parkNanos(SPIN_PARK_NANOS);
            }
        }
    }

    /** Ends the loop after the tasks that are waiting, closes what is registered, and returns when the thread has ended. */
    void stop() {
        if (state.compareAndSet(RUNNING, STOPPING)) {
            selector.wakeup();
        }
        if (isCurrent()) {
            return;
        }
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void wakeUp() {
        if (asleep && ASLEEP.compareAndSet(this, true, false)) {
            selector.wakeup();
        }
    }

    private boolean hold() {
        return holder == null && HOLDER.compareAndSet(this, null, Thread.currentThread());
    }

    /** Takes the loop back from whoever has helped. */
    private void holdAgain() {
        if (hold()) {
            return;
        }
        wanted = true;
        for (int spins = 0; !hold(); spins++) {
            if (spins < SPINS) {
                Thread.onSpinWait();
            } else {
                LockSupport.parkNanos(SPIN_PARK_NANOS);
            }
        }
        wanted = false;
    }

    private void run() {
        holdAgain();
        while (state.get() == RUNNING) {
            runTasks();
            performWorks(works);
            performWorks(deferred);
            long delay = look(fireTimers());
            try {
                select(delay);
            } catch (IOException e) {
                LOG.error("{} cannot look for ready connections and tries again", thread.getName(), e);
                LockSupport.parkNanos(RETRY_NANOS);
            }
            releaseAfterSelect();
        }
        end();
    }

    private void releaseAfterSelect() {
        if (!afterSelect.isEmpty()) {
            afterSelect.forEach(CountDownLatch::countDown);
            afterSelect.clear();
        }
    }

    private void select(long delayMillis) throws IOException {
        if (spinNanos > 0 && spin()) {
            return;
        }
        asleep = true;
        if (hasWork()) {
            asleep = false;
            selector.selectNow(dispatch);
        } else {
            holder = null;
            try {
                selector.select(wakeAndDispatch, delayMillis);
            } finally {
                asleep = false;
                if (holder != thread) {
                    holdAgain();
                }
            }
        }
    }

    /** Looks again and again for a while, without sleeping; whether something has come. */
    private boolean spin() throws IOException {
        long start = System.nanoTime();
        do {
            if (selector.selectNow(dispatch) > 0 || hasWork()) {
                return true;
            }
            Thread.onSpinWait();
        } while (System.nanoTime() - start < spinNanos);
        return false;
    }

    private boolean hasWork() {
        return works.get() != null || !tasks.isEmpty() || !afterSelect.isEmpty() || state.get() != RUNNING;
    }

    private void wakeAndDispatch(SelectionKey key) {
        asleep = false;
        if (holder != thread) {
            holdAgain();
        }
        dispatch(key);
    }

    private void dispatch(SelectionKey key) {
        beginTurn();
        try {
            if (key.isValid()) {
                ((ReadyHandler) key.attachment()).ready(key.readyOps());
            }
        } catch (RuntimeException | Error e) {
            LOG.error("A connection failed in an unforeseen way and is closed", e);
            closeQuietly(key.channel());
        } finally {
            endTurn();
        }
    }

    private void runTasks() {
        Runnable task;
        while ((task = tasks.poll()) != null) {
            runInTurn(task);
        }
    }

    private void runInTurn(Runnable task) {
        beginTurn();
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            LOG.error("A task of {} failed in an unforeseen way", thread.getName(), e);
        } finally {
            endTurn();
        }
    }

    private void performWorks(AtomicReference<LoopWork> list) {
        if (list.get() == null) {
            return;
        }
        LoopWork work = reverse(list.getAndSet(null));
        while (work != null) {
            LoopWork following = work.next;
            beginTurn();
            try {
                work.perform();
            } catch (RuntimeException | Error e) {
                LOG.error("Work of {} failed in an unforeseen way", thread.getName(), e);
            } finally {
                endTurn();
            }
            work = following;
        }
    }

    private static LoopWork reverse(LoopWork newestFirst) {
        LoopWork oldestFirst = null;
        LoopWork work = newestFirst;
        while (work != null) {
            LoopWork following = work.next;
            work.next = oldestFirst;
            oldestFirst = work;
            work = following;
        }
        return oldestFirst;
    }

    /** Returns how many milliseconds there are until the next timer, 0 for no end. */
    private long fireTimers() {
        if (timers.isEmpty()) {
            return 0;
        }
        long now = System.nanoTime();
        while (!timers.isEmpty()) {
            Timer timer = timers.first();
            if (timer.nanosFrom(now) > 0) {
                return TimeUnit.NANOSECONDS.toMillis(timer.nanosFrom(now)) + 1;
            }
            timers.remove(timer);
            runInTurn(timer::run);
        }
        return 0;
    }

    /** Does what is to be done every millisecond; returns when to wake for it or for a timer, 0 for no end. */
    private long look(long delayMillis) {
        if (looks.isEmpty()) {
            return delayMillis;
        }
        long now = System.nanoTime();
        if (now - lookedAt >= LOOK_NANOS) {
            lookedAt = now;
            // From the end: each may remove itself.
            for (int i = looks.size() - 1; i >= 0; i--) {
                runInTurn(looks.get(i));
            }
        }
        return 1;
    }

    private void beginTurn() {
        TURNS.setVolatile(this, turns + 1);
    }

    private void endTurn() {
        TURNS.setRelease(this, turns + 1);
    }

    private void end() {
        for (SelectionKey key : selector.keys()) {
            closeQuietly(key.channel());
        }
        try {
            selector.close();
        } catch (IOException e) {
            LOG.debug("Closing a selector", e);
        }
        state.set(STOPPED);
        runTasks();
        releaseAfterSelect();
    }

    private static void closeQuietly(SelectableChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            LOG.debug("Closing a channel", e);
        }
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        boolean interrupted = false;
        while (true) {
            try {
                latch.await();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
