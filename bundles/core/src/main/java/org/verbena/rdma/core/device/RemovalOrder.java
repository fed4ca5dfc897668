package org.verbena.rdma.core.device;

import org.verbena.rdma.core.CoreConfiguration;

/**
 * What starts the removal of one or several devices. All that they wait for counts against one deadline, from here on: an
 * add in progress, consumers, and whatever holds up step 1.
 *
 * @param cause what has started it, a few words
 * @param withdraw whether the provider takes the devices away for good
 * @param configuration what is set
 * @param thread the thread that removes the devices
 * @param startNanos when it has begun, as {@link System#nanoTime()}
 */
record RemovalOrder(String cause, boolean withdraw, CoreConfiguration configuration, Thread thread, long startNanos) {
    static RemovalOrder now(String cause, boolean withdraw, CoreConfiguration configuration) {
        return new RemovalOrder(cause, withdraw, configuration, Thread.currentThread(), System.nanoTime());
    }

    long deadlineNanos() {
        return startNanos + configuration.removalDeadline().toNanos();
    }
}
