package org.verbena.rdma.core.osgi;

import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;

/** What can be set of core through Config Admin. All of it applies live, to what begins after the change. */
@ObjectClassDefinition(
        id = CoreSettings.PID,
        pid = CoreSettings.PID,
        name = "Verbena core",
        description = "How core removes devices and calls consumers. Every change applies live.")
@interface CoreSettings {
    /** The persistent identity of the configuration. */
    String PID = "org.verbena.rdma.core";

    @AttributeDefinition(
            name = "Removal deadline (ms)",
            description =
                    "How long consumers have to let go of a device that is removed. Keep it below the lock timeout"
                            + " of Declarative Services, which is 5000.",
            min = "1")
    long removal_deadline_ms() default 3000;

    @AttributeDefinition(
            name = "Service deadline (ms)",
            description = "How long a removal waits for components to deactivate before it tells the ids.",
            min = "1")
    long service_deadline_ms() default 1000;

    @AttributeDefinition(
            name = "Hung limit (ms)",
            description = "After how long a call into a provider that does not come back makes its device abandoned.",
            min = "1")
    long hung_limit_ms() default 10000;

    @AttributeDefinition(
            name = "Blocked callbacks",
            description = "How many callbacks of one bundle may block before others of the same bundle wait.",
            min = "1")
    int blocked_callbacks() default 16;

    @AttributeDefinition(
            name = "Blocked after (ms)",
            description = "After how long a callback counts as blocked and is reported.",
            min = "1")
    long blocked_after_ms() default 2000;

    @AttributeDefinition(
            name = "Listen retry (ms)",
            description = "How often listening is tried again on a device that has refused.",
            min = "1")
    long listen_retry_ms() default 1000;
}
