package org.verbena.rdma.core.device;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.core.guard.Presence;
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
        if (!beginAdd()) {
            return false;
        }
        Device opening;
        DeviceDescription told;
        try {
            opening = devices.make(provider, currentRank());
            told = DeviceDescription.of(opening.attributes());
        } catch (RuntimeException | Error broken) {
            LOGGER.warn("device {} cannot be used: its provider does not tell its attributes", name, broken);
            fail(broken.toString());
            return false;
        }
        if (!describe(opening, told)) {
            return false;
        }
        boolean entered = false;
        String failure = "";
        boolean going = false;
        try {
            opening.open();
            entered = devices.enter(opening);
            if (!entered) {
                nameIsTaken();
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
            becomePresent();
            devices.show(opening);
        } finally {
            endAdd(opening);
        }
        return true;
    }

    private synchronized void nameIsTaken() {
        nameTaken = true;
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

    private synchronized boolean beginAdd() {
        if (withdrawn
                || devices.isStopping()
                || phase != Phase.OUT
                || condition == DeviceSnapshot.Condition.ABANDONED) {
            return false;
        }
        phase = Phase.ADDING;
        adding = Thread.currentThread();
        nameTaken = false;
        return true;
    }

    /** The provider has told what its device is. False if the device was taken away meanwhile. */
    private synchronized boolean describe(Device opening, DeviceDescription told) {
        if (phase != Phase.ADDING || adding != Thread.currentThread()) {
            return false;
        }
        device = opening;
        device.setRank(rank);
        description = told;
        return true;
    }

    /** Who is shown the device finds it present, although a removal still waits for the end of the adding. */
    private synchronized void becomePresent() {
        if (phase == Phase.ADDING) {
            condition = DeviceSnapshot.Condition.PRESENT;
            detail = "";
        }
    }

    /** A device that is going already is no failure: its provider takes it away, or has. */
    private void endAddFailed(Device failed, String why, boolean going) {
        synchronized (this) {
            if (phase == Phase.REMOVING) {
                // The removal that began meanwhile closes it.
                adding = null;
                return;
            }
        }
        String provided = failed.attributes().provider();
        if (going || isWithdrawn()) {
            LOGGER.debug("device {} of provider {} has gone while it came: {}", name, provided, why);
        } else {
            LOGGER.warn("device {} of provider {} cannot be used: {}", name, provided, why);
        }
        failed.mark();
        Presence here = failed.enter();
        if (here != null) {
            try {
                failed.closeProvider();
            } finally {
                here.exit();
            }
        }
        fail(why);
    }

    private synchronized boolean isWithdrawn() {
        return withdrawn;
    }

    private synchronized void fail(String why) {
        if (phase == Phase.OUT || phase == Phase.ADDING && adding == Thread.currentThread()) {
            phase = Phase.OUT;
            adding = null;
            device = null;
            condition = DeviceSnapshot.Condition.FAILED;
            detail = why;
            notifyAll();
        }
    }

    private void endAdd(Device added) {
        synchronized (this) {
            adding = null;
            if (phase == Phase.ADDING) {
                becomePresent();
                phase = Phase.PRESENT;
            }
            notifyAll();
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
            if (phase == Phase.ADDING && device == null) {
                // Its provider does not even tell what it is, and what it tells later is not listened to.
                LOGGER.warn(
                        "device {} goes while thread {} still asks its provider for its attributes",
                        name,
                        adding == null ? "?" : adding.getName());
                phase = Phase.OUT;
                adding = null;
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
            detail = ended.isAbandoned() ? "a call into its provider does not come back" : "";
            device = null;
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
