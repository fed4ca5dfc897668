package org.verbena.rdma.health;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.apache.felix.hc.api.FormattingResultLog;
import org.apache.felix.hc.api.HealthCheck;
import org.apache.felix.hc.api.Result;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Modified;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.Designate;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;
import org.verbena.rdma.monitor.ConsumerSnapshot;
import org.verbena.rdma.monitor.Monitor;
import org.verbena.rdma.monitor.MonitorListener;
import org.verbena.rdma.monitor.RemovalSnapshot;

/**
 * Whether consumers' callbacks return, and whether one had to be forced lately. The times are in a concurrent map, written
 * by the monitor and read by checks; the settings are volatile, and change without a loss of the times.
 */
@Component(
        service = HealthCheck.class,
        immediate = true,
        configurationPid = "org.verbena.rdma.health",
        property = {HealthCheck.NAME + "=RDMA consumers", HealthCheck.TAGS + "=rdma", "hc.mbean.name=rdmaConsumers"})
@Designate(ocd = ConsumersCheck.Settings.class)
public final class ConsumersCheck implements HealthCheck, MonitorListener {
    private final Monitor monitor;
    private volatile Settings settings;
    private final LongSupplier nanoTime;
    private final Map<String, Long> forced = new ConcurrentHashMap<>();
    private final Monitor.Registration registration;

    /** What can be set. */
    @ObjectClassDefinition(name = "Verbena health checks", description = "Applies live.")
    public @interface Settings {
        /** From how many on. */
        @AttributeDefinition(
                name = "Waiting callbacks",
                description = "The health check warns of a bundle when so many of its callbacks wait for a thread.")
        int waitingCallbacks() default 100;

        /** For how long. */
        @AttributeDefinition(
                name = "Minutes after force",
                description = "For how many minutes it warns of a bundle that a removal had to take something from.")
        int minutesAfterForce() default 60;
    }

    /** Made by Declarative Services. */
    @Activate
    public ConsumersCheck(@Reference Monitor monitor, Settings settings) {
        this(monitor, settings, System::nanoTime);
    }

    ConsumersCheck(Monitor monitor, Settings settings, LongSupplier nanoTime) {
        this.monitor = monitor;
        this.settings = settings;
        this.nanoTime = nanoTime;
        registration = monitor.addListener(this);
    }

    @Modified
    void modified(Settings changed) {
        settings = changed;
    }

    @Deactivate
    void end() {
        registration.close();
    }

    @Override
    public void deviceDown(RemovalSnapshot removal) {
        removal.forced().forEach(bundle -> forced.put(bundle, nanoTime.getAsLong()));
    }

    @Override
    public Result execute() {
        FormattingResultLog log = new FormattingResultLog();
        for (ConsumerSnapshot consumer : monitor.snapshot().consumers()) {
            if (!consumer.blockedThreads().isEmpty()) {
                log.critical(
                        "Callbacks of bundle {} block thread {}.",
                        consumer.bundle(),
                        String.join(", ", consumer.blockedThreads()));
            }
            if (consumer.waitingCallbacks() >= settings.waitingCallbacks()) {
                log.warn(
                        "{} callbacks of bundle {} wait for a thread.", consumer.waitingCallbacks(), consumer.bundle());
            }
        }
        long since = nanoTime.getAsLong()
                - Duration.ofMinutes(settings.minutesAfterForce()).toNanos();
        forced.values().removeIf(when -> when - since < 0);
        forced.keySet().forEach(bundle -> log.warn("Bundle {} did not let go of a device in time.", bundle));
        if (!log.iterator().hasNext()) {
            log.info("No consumer is in the way.");
        }
        return new Result(log);
    }
}
