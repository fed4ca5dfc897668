package org.verbena.rdma.core.device;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.monitor.DeviceSnapshot;
import org.verbena.rdma.spi.ProviderDevice;

/**
 * The place of one provider's device in core for as long as the provider offers it: plugged, unplugged, failed, and in
 * between. Adding and removing exclude each other here; a removal waits for an add in progress, except for one on its own
 * stack, and a second removal waits for the first.
 *
 * <p>All fields are guarded by this object's monitor. It is held while waiting for an add, which is what it is for, and
 * never while a provider, a consumer or the service registry is called.
 */
public final class DeviceSlot {
    private static final Logger LOGGER = LoggerFactory.getLogger(DeviceSlot.class);

    private static final String HANGS = "a call into its provider does not come back";

    private enum Phase {
        OUT,
        ADDING,
        PRESENT,
        REMOVING
    }

    private final long number;
    private final ProviderDevice provider;
    private final String name;
    private DeviceRank rank;
    private final Devices devices;
    private Phase phase = Phase.OUT;
    private Thread adding;
    private Device device;
    private DeviceDescription description = DeviceDescription.UNKNOWN;
    private Removal removal;
    private boolean withdrawn;
    private boolean nameTaken;
    private DeviceSnapshot.Condition condition = DeviceSnapshot.Condition.UNPLUGGED;
    private String detail = "";

    DeviceSlot(long number, ProviderDevice provider, DeviceRank rank, Devices devices) {
        this.number = number;
        this.provider = provider;
        this.name = provider.name();
        this.rank = rank;
        this.devices = devices;
    }

    /**
     * Returns the number of the device.
     *
     * @return a number that no other device of this core has
     */
    public long number() {
        return number;
    }

    /**
     * Returns the name of the device.
     *
     * @return the name
     */
    public String name() {
        return name;
    }

    /**
     * Plugs the device in: opens it, enters it into the address book, shows it. On a core thread.
     *
     * @return whether it serves
     */
    boolean plug() {
        if (devices.isStopping()) {
            return false;
        }
        Device opening = devices.make(provider, name, currentRank());
        if (!beginAdd(opening)) {
            return false;
        }
        boolean entered = false;
        String failure = "";
        boolean going = false;
        try {
            opening.describe();
            if (!describe(opening)) {
                return false;
            }
            opening.open();
            entered = devices.enter(opening);
            if (!entered) {
                nameIsTaken(opening);
                failure = "another device is named " + name;
            }
        } catch (RdmaException | RuntimeException | Error cannotOpen) {
            failure = cannotOpen.toString();
            going = cannotOpen instanceof RdmaException refused && refused.error() == RdmaError.NO_DEVICE;
        }
        if (!entered) {
            endAddFailed(opening, failure, going);
            // The other may have gone before this one counted as failed.
            return devices.isFree(name) && retry(name);
        }
        try {
            devices.follow();
            becomePresent(opening);
            devices.show(opening);
        } finally {
            endAdd(opening);
        }
        return true;
    }

    private synchronized void nameIsTaken(Device opening) {
        nameTaken |= isAdding(opening);
    }

    /**
     * Caller holds the monitor. A removal may have taken the device away, and be over, and the next add have begun, while
     * the thread that added it was elsewhere.
     */
    private boolean isAdding(Device opening) {
        return phase == Phase.ADDING && device == opening;
    }

    /** Another device has gone: plugs this one in if that one had its name. Tells whether it serves. */
    boolean retry(String freed) {
        boolean waiting;
        synchronized (this) {
            waiting = nameTaken && condition == DeviceSnapshot.Condition.FAILED && name.equals(freed);
        }
        return waiting && plug();
    }

    synchronized void rank(DeviceRank changed) {
        rank = changed;
        if (device != null) {
            device.setRank(changed);
        }
    }

    private synchronized DeviceRank currentRank() {
        return rank;
    }

    private synchronized boolean beginAdd(Device opening) {
        if (withdrawn
                || devices.isStopping()
                || phase != Phase.OUT
                || condition == DeviceSnapshot.Condition.ABANDONED) {
            return false;
        }
        phase = Phase.ADDING;
        adding = Thread.currentThread();
        device = opening;
        device.setRank(rank);
        nameTaken = false;
        return true;
    }

    /** The provider has told what its device is. False if the device was taken away meanwhile. */
    private synchronized boolean describe(Device opening) {
        if (!isAdding(opening)) {
            return false;
        }
        description = opening.description();
        return true;
    }

    /** Who is shown the device finds it present, although a removal still waits for the end of the adding. */
    private synchronized void becomePresent(Device opening) {
        if (isAdding(opening)) {
            condition = DeviceSnapshot.Condition.PRESENT;
            detail = "";
        }
    }

    /** A device that is going already is no failure: its provider takes it away, or has. */
    private void endAddFailed(Device failed, String why, boolean going) {
        synchronized (this) {
            if (!isAdding(failed)) {
                // The removal that began meanwhile closes it.
                return;
            }
        }
        String provided = failed.description().provider();
        if (going || isWithdrawn()) {
            LOGGER.debug("device {} of provider {} has gone while it came: {}", name, provided, why);
        } else {
            LOGGER.warn("device {} of provider {} cannot be used: {}", name, provided, why);
        }
        failed.mark();
        if (failed.endOpen(devices.hungLimitNanos())) {
            fail(failed, DeviceSnapshot.Condition.FAILED, why);
        } else if (fail(failed, DeviceSnapshot.Condition.ABANDONED, HANGS)) {
            failed.logHanging();
        }
    }

    private synchronized boolean isWithdrawn() {
        return withdrawn;
    }

    private synchronized boolean fail(Device failed, DeviceSnapshot.Condition end, String why) {
        if (!isAdding(failed)) {
            return false;
        }
        phase = Phase.OUT;
        adding = null;
        device = null;
        condition = end;
        detail = why;
        notifyAll();
        return true;
    }

    private void endAdd(Device added) {
        synchronized (this) {
            if (isAdding(added)) {
                becomePresent(added);
                adding = null;
                phase = Phase.PRESENT;
                notifyAll();
            }
        }
        if (added.isMarked()) {
            // Removed while it was being shown: what was shown meanwhile must not stay.
            devices.hide(added);
        }
    }

    /**
     * Begins the removal, if the device is in.
     *
     * @param order what has started it
     * @return the removal, begun or found running, or {@code null} if there is nothing to remove
     */
    RemovalTicket beginRemoval(RemovalOrder order) {
        Removal begun;
        synchronized (this) {
            withdrawn |= order.withdraw();
            awaitAdd(order.deadlineNanos());
            if (phase == Phase.REMOVING) {
                return new RemovalTicket(this, removal, false);
            }
            if (phase == Phase.OUT) {
                return null;
            }
            phase = Phase.REMOVING;
            condition = DeviceSnapshot.Condition.REMOVING;
            removal = devices.removal(number, device, order);
            begun = removal;
        }
        // Marked before it leaves the book, so that an add in progress cannot enter it afterwards.
        begun.begin();
        return new RemovalTicket(this, begun, true);
    }

    /** Caller holds the monitor. */
    private void awaitAdd(long deadlineNanos) {
        boolean interrupted = false;
        while (phase == Phase.ADDING && adding != Thread.currentThread()) {
            long millis = (deadlineNanos - System.nanoTime()) / 1_000_000;
            if (millis <= 0) {
                break;
            }
            try {
                wait(millis);
            } catch (InterruptedException later) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends the removal that this slot began. */
    synchronized void endRemoval(Removal ended) {
        if (removal == ended) {
            phase = Phase.OUT;
            condition = ended.isAbandoned() ? DeviceSnapshot.Condition.ABANDONED : DeviceSnapshot.Condition.UNPLUGGED;
            detail = ended.isAbandoned() ? HANGS : "";
            device = null;
            adding = null;
            removal = null;
            notifyAll();
        }
    }

    /**
     * Returns the device while it is in.
     *
     * @return the device, also while it is being removed, or {@code null}
     */
    public synchronized Device device() {
        return device;
    }

    /**
     * Returns the device if it serves: it is open, and its removal has not begun.
     *
     * @return the device or {@code null}
     */
    public synchronized Device serving() {
        return condition == DeviceSnapshot.Condition.PRESENT ? device : null;
    }

    /**
     * Returns the removal that is running.
     *
     * @return the removal or {@code null}
     */
    public synchronized Removal removal() {
        return removal;
    }

    /**
     * Returns what core does with the device.
     *
     * @return the condition
     */
    public synchronized DeviceSnapshot.Condition condition() {
        return condition;
    }

    /**
     * Returns why it is not present.
     *
     * @return a few words, or empty
     */
    public synchronized String detail() {
        return detail;
    }

    /**
     * Returns what the provider has told of the device.
     *
     * @return a description, unknown as long as it has told nothing
     */
    public synchronized DeviceDescription description() {
        return description;
    }
}
