package org.verbena.rdma.core;

import java.time.Duration;

/**
 * What can be set of core. A change applies to what begins after it.
 *
 * @param removalDeadline how long consumers have to let go of a device that is removed, or of their session when it ends
 * @param serviceDeadline how long a removal waits for the device service to be unregistered before it goes on
 * @param hungLimit after how long a call into a provider that does not come back makes its device abandoned
 * @param blockedCallbacks how many callbacks of one bundle may block before others of the same bundle wait
 * @param blockedAfter after how long a callback counts as blocked and is reported
 * @param listenRetry how often listening is tried again on a device that refused
 */
public record CoreConfiguration(
        Duration removalDeadline,
        Duration serviceDeadline,
        Duration hungLimit,
        int blockedCallbacks,
        Duration blockedAfter,
        Duration listenRetry) {
    /** What holds when nothing is set. */
    public static final CoreConfiguration DEFAULTS = new CoreConfiguration(
            Duration.ofSeconds(3),
            Duration.ofSeconds(1),
            Duration.ofSeconds(10),
            16,
            Duration.ofSeconds(2),
            Duration.ofSeconds(1));

    /** Checks the ranges. */
    public CoreConfiguration {
        require("removalDeadline", removalDeadline);
        require("serviceDeadline", serviceDeadline);
        require("hungLimit", hungLimit);
        require("blockedAfter", blockedAfter);
        require("listenRetry", listenRetry);
        if (blockedCallbacks < 1) {
            throw new IllegalArgumentException("blockedCallbacks must be at least 1, not " + blockedCallbacks);
        }
    }

    private static void require(String name, Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException(name + " must be greater than zero, not " + value);
        }
    }
}
