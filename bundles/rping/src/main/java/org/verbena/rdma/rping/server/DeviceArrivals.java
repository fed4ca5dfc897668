package org.verbena.rdma.rping.server;

/** Counts the devices and addresses that come, so that a thread can wait for the next one. */
public final class DeviceArrivals {
    private long count;

    /** One has come. */
    public synchronized void arrived() {
        count++;
        notifyAll();
    }

    /** How many have come so far. */
    synchronized long count() {
        return count;
    }

    /** Waits until more have come than were seen. */
    synchronized void awaitMoreThan(long seen) throws InterruptedException {
        while (count <= seen) {
            wait();
        }
    }
}
