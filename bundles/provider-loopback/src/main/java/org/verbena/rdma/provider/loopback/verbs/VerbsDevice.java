package org.verbena.rdma.provider.loopback.verbs;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.verbena.rdma.DeviceAttributes;
import org.verbena.rdma.QueuePairConfiguration;
import org.verbena.rdma.QueuePairType;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.provider.loopback.schedule.Timer;
import org.verbena.rdma.spi.CompletionUpcalls;
import org.verbena.rdma.spi.CounterSink;
import org.verbena.rdma.spi.QueuePairResources;

/** The part of a device that makes verbs objects. Safe for use by many threads; no lock of its own. */
public final class VerbsDevice {
    private static final int NUMBER_MASK = 0xFF_FFFF;

    private final String name;
    private final DeviceAttributes attributes;
    private final Duration receiverNotReadyInterval;
    private final Executor upcalls;
    private final Executor transfers;
    private final Timer timer;
    private final RegionTable regions = new RegionTable();
    private final Set<Integer> numbers = ConcurrentHashMap.newKeySet();
    private final AtomicInteger lastNumber = new AtomicInteger();
    private volatile boolean gone;
    private volatile DeviceCounters counters = new DeviceCounters();

    /**
     * Makes the part.
     *
     * @param name the name of the device
     * @param attributes what the device takes
     * @param receiverNotReadyInterval how long one try waits for a receive of the peer
     * @param upcalls makes upcalls, never on the stack of who hands them over
     * @param transfers moves data, may do so on the stack of who hands it over
     * @param timer for what is due later
     */
    public VerbsDevice(
            String name,
            DeviceAttributes attributes,
            Duration receiverNotReadyInterval,
            Executor upcalls,
            Executor transfers,
            Timer timer) {
        this.name = name;
        this.attributes = attributes;
        this.receiverNotReadyInterval = receiverNotReadyInterval;
        this.upcalls = upcalls;
        this.transfers = transfers;
        this.timer = timer;
    }

    /**
     * Says whether the device is gone below the provider.
     *
     * @param isGone whether it is
     */
    public void gone(boolean isGone) {
        gone = isGone;
    }

    /**
     * Tells whether the device is gone below the provider.
     *
     * @return {@code true} if so
     */
    public boolean isGone() {
        return gone;
    }

    /** Counts from zero. */
    public void resetCounters() {
        counters = new DeviceCounters();
    }

    /**
     * Tells the counters.
     *
     * @param sink where to tell them
     */
    public void readCounters(CounterSink sink) {
        counters.tell(sink);
    }

    /**
     * Lets calls fail fast when the device is gone.
     *
     * @throws RdmaException if it is
     */
    public void checkPresent() throws RdmaException {
        if (gone) {
            throw new RdmaException(RdmaError.NO_DEVICE, "device " + name + " is gone: wait until it comes back");
        }
    }

    /**
     * Makes a protection domain.
     *
     * @return a new domain
     * @throws RdmaException if the device is gone
     */
    public LoopbackProtectionDomain createProtectionDomain() throws RdmaException {
        checkPresent();
        return new LoopbackProtectionDomain(this);
    }

    /**
     * Makes a completion queue.
     *
     * @param entries how many completions it holds
     * @param upcalls where to tell of completions
     * @return a new queue
     * @throws RdmaException if the device is gone
     */
    public LoopbackCompletionQueue createCompletionQueue(int entries, CompletionUpcalls upcalls) throws RdmaException {
        checkPresent();
        return new LoopbackCompletionQueue(entries, upcalls, this.upcalls);
    }

    /**
     * Makes a queue pair.
     *
     * @param resources what it is made of
     * @param configuration its sizes
     * @return a new queue pair
     * @throws RdmaException if the device is gone or has no room for another
     */
    public LoopbackQueuePair createQueuePair(QueuePairResources resources, QueuePairConfiguration configuration)
            throws RdmaException {
        checkPresent();
        if (configuration.type() != QueuePairType.RELIABLE_CONNECTED) {
            throw new RdmaException(RdmaError.NOT_SUPPORTED, "device " + name + " has no datagrams");
        }
        return new LoopbackQueuePair(this, takeNumber(), VerbsResources.of(resources), configuration);
    }

    DeviceCounters counters() {
        return counters;
    }

    DeviceAttributes attributes() {
        return attributes;
    }

    RegionTable regions() {
        return regions;
    }

    Executor transfers() {
        return transfers;
    }

    Timer timer() {
        return timer;
    }

    Duration receiverNotReadyInterval() {
        return receiverNotReadyInterval;
    }

    void queuePairClosed(LoopbackQueuePair queuePair) {
        numbers.remove(queuePair.number());
    }

    private int takeNumber() throws RdmaException {
        if (numbers.size() >= attributes.maxQueuePairs()) {
            throw new RdmaException(
                    RdmaError.NO_MEMORY,
                    "device " + name + " has " + attributes.maxQueuePairs() + " queue pairs: close one");
        }
        int number;
        do {
            number = lastNumber.incrementAndGet() & NUMBER_MASK;
        } while (number == 0 || !numbers.add(number));
        return number;
    }
}
