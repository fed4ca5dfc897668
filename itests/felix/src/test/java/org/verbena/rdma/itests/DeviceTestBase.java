// SPDX-License-Identifier: Apache-2.0
package org.verbena.rdma.itests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ops4j.pax.exam.CoreOptions.composite;
import static org.verbena.rdma.itests.fixture.Services.eventually;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Dictionary;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.rules.Timeout;
import org.ops4j.pax.exam.Option;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleException;
import org.osgi.framework.Constants;
import org.osgi.framework.FrameworkEvent;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.ServiceRegistration;
import org.osgi.framework.wiring.FrameworkWiring;
import org.osgi.service.cm.ConfigurationAdmin;
import org.osgi.service.cm.ManagedService;
import org.osgi.service.log.LogEntry;
import org.osgi.service.log.LogLevel;
import org.osgi.service.log.LogReaderService;
import org.verbena.rdma.itests.fixture.ConsumerBundles;
import org.verbena.rdma.itests.fixture.Loopback;
import org.verbena.rdma.itests.fixture.Services;
import org.verbena.rdma.monitor.ConsumerSnapshot;
import org.verbena.rdma.monitor.Monitor;
import org.verbena.rdma.monitor.Snapshot;

/**
 * What tests with core, the loopback provider and consumers have in common. Consumers are built before the framework
 * starts, and installed when a test starts them. After each test core must have broken no rule of the provider's, and
 * Declarative Services must have had nothing to complain about.
 */
public abstract class DeviceTestBase extends FelixTestBase {
    private final List<LogEntry> log = new CopyOnWriteArrayList<>();
    private final List<CountDownLatch> latches = new CopyOnWriteArrayList<>();
    protected Loopback loopback;
    protected Services services;

    /** Ends a test that stands still. */
    @Rule
    public Timeout limit() {
        return Timeout.millis(mayTake().toMillis());
    }

    /** How long a test may take. */
    protected Duration mayTake() {
        return Duration.ofSeconds(60);
    }

    /** Framework, core and loopback, and Declarative Services. */
    protected static Option platform() {
        return composite(framework(), logging(), declarativeServices(), verbenaCore(), providerLoopback());
    }

    /** Builds a consumer bundle, which a test starts when it wants to. */
    protected static Option consumer(String symbolicName, String code, Map<String, String> headers) {
        ConsumerBundles.build(symbolicName, code, headers);
        // Pax Exam takes a bundle that is not started for one that does not resolve.
        return composite();
    }

    /** A peer with an import range for connection management. */
    protected static Option peer(String symbolicName, String range) {
        return consumer(
                symbolicName,
                "peer",
                Map.of(
                        "Bundle-Activator",
                        "org.verbena.rdma.itests.consumers.peer.PeerActivator",
                        "Import-Package",
                        "org.verbena.rdma.cm;version=\"" + range + "\",*"));
    }

    protected static Option peer(String symbolicName) {
        return peer(symbolicName, "[1.1,2)");
    }

    protected static Option component(String symbolicName, String code) {
        return consumer(symbolicName, code, Map.of());
    }

    @Before
    public void lookUp() {
        loopback = new Loopback(context);
        services = new Services(context);
        ServiceReference<LogReaderService> reader = context.getServiceReference(LogReaderService.class);
        context.getService(reader).addLogListener(log::add);
    }

    @After
    public void nothingWasBroken() {
        latches.forEach(CountDownLatch::countDown);
        assertThat(loopback.allViolations()).isEmpty();
        assertThat(complaints("org.apache.felix.scr")).isEmpty();
    }

    /** The warnings and errors of bundles whose names begin so. */
    protected List<String> complaints(String prefix) {
        return log.stream()
                .filter(entry -> entry.getBundle().getSymbolicName().startsWith(prefix)
                        && LogLevel.WARN.implies(entry.getLogLevel()))
                .map(LogEntry::getMessage)
                .toList();
    }

    /** Forgets what was logged so far. */
    protected void forgetLog() {
        log.clear();
    }

    /** Sets what can be set of core, and returns when it is set. */
    protected void configureCore(Map<String, ?> settings) throws IOException {
        ConfigurationAdmin admin = context.getService(context.getServiceReference(ConfigurationAdmin.class));
        admin.getConfiguration("org.verbena.rdma.core", "?").update(new Hashtable<>(settings));
        awaitConfigurations();
    }

    /** Config Admin updates one service after the other, so a last one is told when all others were. */
    private void awaitConfigurations() {
        CountDownLatch told = new CountDownLatch(1);
        Dictionary<String, Object> properties = new Hashtable<>();
        properties.put(Constants.SERVICE_PID, "org.verbena.rdma.itests.last");
        ServiceRegistration<ManagedService> last =
                context.registerService(ManagedService.class, settings -> told.countDown(), properties);
        eventually().until(() -> told.getCount() == 0);
        last.unregister();
    }

    /** Sets the deadline of removals and of sessions that end. */
    protected void setDeadline(Duration deadline) throws IOException {
        configureCore(Map.of("removal.deadline.ms", deadline.toMillis()));
    }

    /** What core shows of itself now. */
    protected Snapshot snapshot() {
        return context.getService(context.getServiceReference(Monitor.class)).snapshot();
    }

    /** What core knows of a consumer bundle, if that has sessions. */
    protected Optional<ConsumerSnapshot> snapshotOf(String bundle) {
        return snapshot().consumers().stream()
                .filter(consumer -> consumer.bundle().equals(bundle))
                .findFirst();
    }

    /** Runs something and returns how long it has taken. */
    protected static Duration timed(Action action) throws Exception {
        long start = System.nanoTime();
        action.run();
        return Duration.ofNanos(System.nanoTime() - start);
    }

    /** As {@link #timed}, for where nothing may be thrown. */
    protected static Duration timedQuietly(Action action) {
        try {
            return timed(action);
        } catch (Exception failed) {
            throw new IllegalStateException(failed);
        }
    }

    /** The threads that live and whose names begin so. */
    protected static List<String> threads(String... prefixes) {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> Arrays.stream(prefixes).anyMatch(name::startsWith))
                .toList();
    }

    /** Refreshes a bundle and returns when that is over. */
    protected void refresh(Bundle bundle) {
        CountDownLatch refreshed = new CountDownLatch(1);
        context.getBundle(0).adapt(FrameworkWiring.class).refreshBundles(List.of(bundle), event -> {
            if (event.getType() == FrameworkEvent.PACKAGES_REFRESHED) {
                refreshed.countDown();
            }
        });
        await(refreshed);
    }

    /** Runs something on a thread of its own; what it throws is found when the future is asked. */
    protected static CompletableFuture<Duration> inBackground(Action action) {
        CompletableFuture<Duration> done = new CompletableFuture<>();
        Thread thread = new Thread(
                () -> {
                    try {
                        done.complete(timed(action));
                    } catch (Throwable failed) {
                        done.completeExceptionally(failed);
                    }
                },
                "test in background");
        thread.setDaemon(true);
        thread.start();
        return done;
    }

    /** Updates a bundle from where it was installed, and lets its old classes go. */
    protected void update(Bundle bundle) throws BundleException {
        bundle.update();
        refresh(bundle);
    }

    /** What may throw. */
    protected interface Action {
        void run() throws Exception;
    }

    /** A latch that lets go at the end of the test at the latest. */
    protected CountDownLatch latch() {
        CountDownLatch latch = new CountDownLatch(1);
        latches.add(latch);
        return latch;
    }

    /** Waits for a latch, for as long as a test may take. */
    protected static void await(CountDownLatch latch) {
        try {
            latch.await(60, TimeUnit.SECONDS);
        } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
        }
    }

    /** What was logged, as level and message. */
    protected List<String> logged(String symbolicName) {
        return log.stream()
                .filter(entry -> entry.getBundle().getSymbolicName().equals(symbolicName))
                .map(entry -> entry.getLogLevel() + " " + entry.getMessage())
                .toList();
    }

    protected Bundle bundleNamed(String symbolicName) {
        return find(symbolicName).orElseThrow(() -> new IllegalArgumentException("no bundle " + symbolicName));
    }

    private Optional<Bundle> find(String symbolicName) {
        return Arrays.stream(context.getBundles())
                .filter(bundle -> symbolicName.equals(bundle.getSymbolicName()))
                .findFirst();
    }

    /** Starts a bundle; a consumer is installed first if need be. */
    protected Bundle start(String symbolicName) throws BundleException {
        Bundle bundle = find(symbolicName)
                .orElseGet(
                        () -> install(ConsumerBundles.jar(symbolicName).toUri().toString()));
        bundle.start();
        return bundle;
    }

    private Bundle install(String location) {
        try {
            return context.installBundle(location);
        } catch (BundleException failed) {
            throw new IllegalStateException(failed);
        }
    }

    protected void stop(String symbolicName) throws BundleException {
        bundleNamed(symbolicName).stop();
    }
}
