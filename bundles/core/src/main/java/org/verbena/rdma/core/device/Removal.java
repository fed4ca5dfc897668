package org.verbena.rdma.core.device;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.verbena.rdma.core.CoreConfiguration;
import org.verbena.rdma.core.guard.Gate;
import org.verbena.rdma.core.guard.Guard;
import org.verbena.rdma.core.recording.Recorder;
import org.verbena.rdma.core.session.Consumer;
import org.verbena.rdma.core.verbs.VerbsOwner;
import org.verbena.rdma.monitor.RemovalSnapshot;

/**
 * The removal of one device, step by step as the design has it. {@link #begin()} and {@link #unpublish()} run on the
 * thread that removes the device, the rest on a core thread; {@link #await()} returns when all is over.
 *
 * <p>What is told to others is in volatile fields that the removal's core thread writes; {@code done} publishes the end.
 * No lock is held at any time.
 */
public final class Removal {
    private static final Logger LOGGER = LoggerFactory.getLogger(Removal.class);
    /** How often ids whose consumers keep them are looked at again. */
    private static final long LOOK_MILLIS = 20;
    /** With more ids than this, each that goes is not worth a look at all the others. */
    private static final int FEW_IDS = 64;

    private final long deviceNumber;
    private final Device device;
    private final RemovalOrder order;
    private final CoreConfiguration configuration;
    private final Surroundings surroundings;
    private final Recorder.RemovalRecording recording;
    private final CountDownLatch unpublished = new CountDownLatch(1);
    private final CountDownLatch done = new CountDownLatch(1);
    private final Set<String> forced = new ConcurrentSkipListSet<>();
    private volatile RemovalSnapshot.Step step = RemovalSnapshot.Step.MARKED;
    private volatile int idsTold;
    private volatile long endNanos;
    private volatile List<String> waitingFor = List.of();
    private volatile boolean unpublishing;
    /** Who was found to be slow to deactivate. */
    private volatile List<String> deactivating = List.of();

    private volatile boolean abandoned;
    /** The thread that calls the provider for this removal. */
    private volatile Thread calling;
    /** Whether the rest runs on a thread that waits for it: the first that takes this back. */
    private final AtomicBoolean withoutThread = new AtomicBoolean();

    private boolean providerHangs;

    /**
     * What a removal needs around it.
     *
     * @param publisher hides the device
     * @param observer is told of the steps
     * @param threads core's own threads
     * @param left takes the device out of the address book
     * @param recorder records the steps
     */
    record Surroundings(
            DevicePublisher publisher,
            DeviceObserver observer,
            Executor threads,
            java.util.function.Consumer<Device> left,
            Recorder recorder) {}

    Removal(long deviceNumber, Device device, RemovalOrder order, Surroundings surroundings) {
        this.deviceNumber = deviceNumber;
        this.device = device;
        this.order = order;
        this.configuration = order.configuration();
        this.surroundings = surroundings;
        recording = surroundings.recorder().beginRemoval(device.name(), order.cause());
    }

    /** Step 1, and the start of the thread that does the rest. */
    void begin() {
        attempt(device::mark);
        attempt(() -> surroundings.left().accept(device));
        tell(RemovalSnapshot.Step.MARKED);
        try {
            surroundings.threads().execute(this::rest);
        } catch (RejectedExecutionException | OutOfMemoryError noThread) {
            withoutThread.set(true);
        }
    }

    /** Step 2: consumers that depend on the device service go, on this thread. */
    void unpublish() {
        long start = System.nanoTime();
        unpublishing = true;
        attempt(() -> surroundings.publisher().unpublish(device));
        unpublished.countDown();
        long late = System.nanoTime() - start - configuration.removalDeadline().toNanos();
        if (late > 0) {
            LOGGER.warn(
                    "consumers of device {} took {} ms to deactivate, in {}, longer than the deadline of {} ms",
                    device.name(),
                    (System.nanoTime() - start) / 1_000_000,
                    deactivating.isEmpty() ? "no bundle that was found" : String.join(", ", deactivating),
                    configuration.removalDeadline().toMillis());
        }
    }

    /** Step 9: waits until all is over, whether or not the thread is interrupted. */
    void await() {
        if (withoutThread.getAndSet(false)) {
            LOGGER.warn("no thread for the removal of {}: it runs on the thread that removes it", device.name());
            rest();
        }
        boolean interrupted = false;
        while (true) {
            try {
                done.await();
                break;
            } catch (InterruptedException wait) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    boolean isAbandoned() {
        return abandoned;
    }

    /** A step that fails keeps no other from being done: what can be closed is closed, and whoever waits goes on. */
    private void rest() {
        attempt(this::awaitUnpublished);
        attempt(this::cancelQueries);
        attempt(this::tellIds);
        attempt(this::awaitConsumers);
        attempt(this::revoke);
        boolean[] closed = new boolean[1];
        attempt(() -> closed[0] = awaitProvider() && closeAtProvider());
        if (!closed[0]) {
            abandoned = true;
            attempt(this::abandon);
        }
        endNanos = System.nanoTime();
        waitingFor = List.of();
        attempt(this::log);
        tell(RemovalSnapshot.Step.DONE);
        done.countDown();
    }

    private void attempt(Runnable part) {
        try {
            part.run();
        } catch (RuntimeException | Error broken) {
            warn(broken);
        }
    }

    private void warn(Throwable broken) {
        try {
            LOGGER.error("the removal of device {} has failed in step {}, it goes on", device.name(), step, broken);
        } catch (OutOfMemoryError noMemoryToLog) {
            return;
        }
    }

    private void awaitUnpublished() {
        tell(RemovalSnapshot.Step.UNREGISTERING_SERVICE);
        waitingFor =
                List.of("consumers that deactivate on thread " + order.thread().getName());
        Duration left = Duration.ofNanos(order.deadlineNanos() - System.nanoTime());
        await(
                unpublished,
                left.compareTo(configuration.serviceDeadline()) < 0 ? left : configuration.serviceDeadline());
        lookForDeactivating();
        waitingFor = List.of();
    }

    /** Components that are still being deactivated are looked for while they are at it. */
    private void lookForDeactivating() {
        if (unpublishing && unpublished.getCount() > 0) {
            deactivating = surroundings.publisher().holders(device, order.thread());
        }
    }

    /** Step 3. */
    private void cancelQueries() {
        tell(RemovalSnapshot.Step.CANCELLING_QUERIES);
        device.queries().cancelAll();
    }

    /**
     * Step 4. All ids are marked before the first is told, so that none sees its peer go that has only been told earlier.
     * What calls the provider runs on threads of its own, since the provider might hang in it.
     */
    private void tellIds() {
        tell(RemovalSnapshot.Step.TELLING_IDS);
        for (ListeningPoint point : device.points()) {
            start(point::close);
        }
        List<DeviceMember> members = device.members();
        // Room for all beforehand: once an id is marked it must be told, whatever is left of the memory.
        List<DeviceMember> undelivered = new ArrayList<>(members.size());
        members.forEach(member -> member.markRemoval(device));
        int told = 0;
        for (DeviceMember member : members) {
            if (member.tellRemoval(device)) {
                told++;
            } else {
                undelivered.add(member);
            }
        }
        idsTold = told;
        if (!undelivered.isEmpty()) {
            start(() -> undelivered.forEach(DeviceMember::refuseIfUndelivered));
        }
    }

    /** Step 5. */
    private void awaitConsumers() {
        tell(RemovalSnapshot.Step.WAITING_FOR_CONSUMERS);
        // If an add in progress has taken all the time, who ignores the removal is let go all the same.
        long soonest = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS);
        long deadline = soonest - order.deadlineNanos() > 0 ? soonest : order.deadlineNanos();
        List<DeviceMember> holding = List.of();
        while (true) {
            long version = device.version();
            letGo(deadline);
            holding = holding();
            long left = (deadline - System.nanoTime()) / 1_000_000;
            if (holding.isEmpty() || left <= 0) {
                break;
            }
            waitingFor = describe(holding);
            awaitChange(version, Math.min(LOOK_MILLIS, left));
        }
        waitingFor = List.of();
        lookForDeactivating();
        if (unpublished.getCount() > 0) {
            deactivating.forEach(this::force);
        }
        for (DeviceMember member : holding) {
            if (member.isBlamed()) {
                blame(member.consumer());
            }
            member.breakWaits();
        }
    }

    /** Closes what nobody needs any more; once that hangs in the provider, it is not tried again. */
    private void letGo(long deadline) {
        if (!providerHangs) {
            Duration left = Duration.ofNanos(
                    Math.max(TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS), deadline - System.nanoTime()));
            providerHangs = !inTime("let go of", left, () -> {
                device.members().forEach(DeviceMember::destroyIfIdle);
                device.verbs().closeUnused(deadline);
            });
        }
    }

    private List<DeviceMember> holding() {
        List<DeviceMember> holding = new ArrayList<>();
        for (DeviceMember member : device.members()) {
            if (member.isHolding(order.thread())) {
                holding.add(member);
            }
        }
        return holding;
    }

    private static List<String> describe(List<DeviceMember> holding) {
        return holding.stream().limit(10).map(DeviceMember::waitingFor).toList();
    }

    private void awaitChange(long version, long millis) {
        try {
            device.awaitChange(version, FEW_IDS, millis);
        } catch (InterruptedException ignored) {
            // Core's threads are interrupted by nobody; a consumer's callback that did so must not end a removal.
        }
    }

    /** Step 6. */
    private void revoke() {
        tell(RemovalSnapshot.Step.REVOKING);
        long hungLimit = System.nanoTime() + configuration.hungLimit().toNanos();
        try {
            // The provider might hang in it; then the next step finds the thread inside.
            inTime("revoke", configuration.hungLimit(), () -> {
                for (VerbsOwner owner : device.verbs().revoke(hungLimit)) {
                    force(owner.bundle());
                }
            });
        } finally {
            device.guard().shut(device.gate());
        }
        device.members().forEach(DeviceMember::force);
    }

    /** Step 7. */
    private boolean awaitProvider() {
        tell(RemovalSnapshot.Step.WAITING_FOR_PROVIDER);
        device.guard().shut(device.upcallGate());
        long now = System.nanoTime();
        if (device.awaitOutside(now + TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS))) {
            return true;
        }
        waitingFor = inside();
        boolean outside = device.awaitOutside(now + configuration.hungLimit().toNanos());
        waitingFor = List.of();
        return outside;
    }

    private List<String> inside() {
        String provider = device.description().provider();
        Set<String> threads = new LinkedHashSet<>();
        for (Gate gate : List.of(device.gate(), device.upcallGate())) {
            for (Guard.Inside inside : device.guard().inside(gate)) {
                threads.add("thread " + inside.thread().getName() + " inside provider " + provider);
            }
        }
        return List.copyOf(threads);
    }

    /** Step 8. Once the device is abandoned nothing more is closed, also when the call that hung comes back. */
    private boolean closeAtProvider() {
        tell(RemovalSnapshot.Step.CLOSING);
        return inTime("close", configuration.hungLimit(), () -> {
            device.verbs().close();
            device.members().forEach(member -> unlessAbandoned(member::closeLeftover));
            device.points().forEach(point -> unlessAbandoned(point::closeAtProvider));
            unlessAbandoned(device.queries()::closeLeftovers);
            unlessAbandoned(device::closeProvider);
        });
    }

    private void unlessAbandoned(Runnable close) {
        if (!abandoned) {
            attempt(close);
        }
    }

    /** Runs what calls the provider on a thread of its own, and tells whether it came back in time. */
    private boolean inTime(String what, Duration limit, Runnable calls) {
        CountDownLatch back = new CountDownLatch(1);
        start(() -> {
            calling = Thread.currentThread();
            try {
                calls.run();
            } catch (RuntimeException | Error broken) {
                LOGGER.error("cannot {} device {} in full", what, device.name(), broken);
            } finally {
                calling = null;
                back.countDown();
            }
        });
        return await(back, limit);
    }

    /** Where the system gives no thread it is done here: better without a limit than not at all. */
    private void start(Runnable calls) {
        try {
            surroundings.threads().execute(calls);
        } catch (RejectedExecutionException | OutOfMemoryError noThread) {
            calls.run();
        }
    }

    private static boolean await(CountDownLatch latch, Duration limit) {
        try {
            return latch.await(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException nobodys) {
            return latch.getCount() == 0;
        }
    }

    private void abandon() {
        device.logHanging();
        Thread closing = calling;
        if (closing != null) {
            device.logHanging(closing);
        }
        device.verbs().abandon();
        device.members().forEach(DeviceMember::breakWaits);
    }

    private void blame(Consumer consumer) {
        if (force(consumer.name())) {
            consumer.countForced();
        }
    }

    /** Notes that something is taken from a bundle by force; tells whether it is the first time. */
    private boolean force(String bundle) {
        boolean first = forced.add(bundle);
        if (first) {
            attempt(() -> recording.forced(bundle));
        }
        return first;
    }

    private void tell(RemovalSnapshot.Step next) {
        if (next == RemovalSnapshot.Step.DONE) {
            attempt(() -> recording.end(idsTold, abandoned));
        } else if (next != step) {
            attempt(() -> recording.step(next.name()));
        }
        step = next;
        attempt(() -> surroundings.observer().removalStep(snapshot()));
    }

    private void log() {
        LOGGER.info(
                "device {} {} after {} ms ({}): {} ids told, {}",
                device.name(),
                abandoned ? "abandoned" : "removed",
                elapsedMillis(),
                order.cause(),
                idsTold,
                forced.isEmpty() ? "nobody forced" : "forced: " + String.join(", ", forced));
    }

    private long elapsedMillis() {
        return ((endNanos == 0 ? System.nanoTime() : endNanos) - order.startNanos()) / 1_000_000;
    }

    /**
     * Returns where the removal stands.
     *
     * @return a snapshot
     */
    public RemovalSnapshot snapshot() {
        return new RemovalSnapshot(
                deviceNumber,
                device.name(),
                order.cause(),
                step,
                elapsedMillis(),
                idsTold,
                device.members().size(),
                waitingFor,
                List.copyOf(forced));
    }
}
