// SPDX-License-Identifier: Apache-2.0
package org.verbena.rdma.itests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ops4j.pax.exam.CoreOptions.composite;
import static org.verbena.rdma.itests.fixture.Services.eventually;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Dictionary;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import javax.management.ObjectName;
import org.junit.Test;
import org.ops4j.pax.exam.Configuration;
import org.ops4j.pax.exam.Option;
import org.osgi.framework.Bundle;
import org.osgi.framework.FrameworkEvent;
import org.osgi.framework.ServiceReference;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.itests.fixture.OldClasses;
import org.verbena.rdma.itests.fixture.Reflected;
import org.verbena.rdma.itests.fixture.Services;
import org.verbena.rdma.itests.fixture.Traffic;
import org.verbena.rdma.monitor.DeviceSnapshot;
import org.verbena.rdma.monitor.IdSnapshot;
import org.verbena.rdma.monitor.Monitor;
import org.verbena.rdma.monitor.Snapshot;

/**
 * Everything comes and goes, in an order that a seed decides, while clients and a server are at work on three devices.
 * After each cycle everything must be back, and nothing left of what was.
 *
 * <p>{@code -Dverbena.churn.seed} repeats a run; {@code verbena.churn.cycles} or {@code verbena.churn.minutes} say how
 * long it goes on.
 */
public class ChurnIT extends DeviceTestBase {
    private static final String VERBENA = "org.verbena.rdma.";
    private static final String CORE = VERBENA + "core";
    private static final String LOOPBACK = VERBENA + "provider-loopback";
    private static final String IWARP = VERBENA + "provider-iwarp";
    private static final String CLIENT = "client";
    private static final String SERVER = "server";
    private static final String COMPONENT = "component";
    private static final List<String> CONSUMERS = List.of(CLIENT, SERVER, COMPONENT);
    private static final List<String> BUNDLES = List.of(CORE, LOOPBACK, IWARP, CLIENT, SERVER, COMPONENT);

    private static final Map<String, String> LOOPBACK_DEVICES = Map.of("lo1", "198.18.0.1", "lo2", "198.18.0.2");
    /** One only: the operating system lists no other address of its loopback interface. */
    private static final Map<String, String> IWARP_DEVICES = Map.of("iw1", "127.0.0.1");

    private static final Map<String, String> DEVICES = devices();
    private static final List<String> NAMES = List.copyOf(DEVICES.keySet());

    private static final long SEED = Long.getLong("verbena.churn.seed", System.nanoTime() & 0xffff_ffffL);
    private static final int CYCLES = Integer.getInteger("verbena.churn.cycles", 100);
    private static final Duration LONG = Duration.ofMinutes(Integer.getInteger("verbena.churn.minutes", 0));
    private static final Duration BOUND = Duration.ofSeconds(60);

    private final Random random = new Random(SEED);
    private final OldClasses oldClasses = new OldClasses();
    private final Map<String, Integer> done = new TreeMap<>();
    private final List<String> cycle = new CopyOnWriteArrayList<>();
    private final List<String> frameworkErrors = new CopyOnWriteArrayList<>();
    private Traffic traffic;

    /** What can be done, and its name, for people. */
    private record Deed(String name, Action action) {}

    private static Map<String, String> devices() {
        Map<String, String> devices = new TreeMap<>(LOOPBACK_DEVICES);
        devices.putAll(IWARP_DEVICES);
        return Collections.unmodifiableMap(devices);
    }

    @Configuration
    public Option[] configuration() {
        return new Option[] {
            platform(),
            providerIwarp(),
            consumerWith(CLIENT, "*.EchoClient"),
            consumerWith(SERVER, "*.EchoServer"),
            component(COMPONENT, "component")
        };
    }

    private static Option consumerWith(String symbolicName, String component) {
        return composite(consumer(symbolicName, "traffic", Map.of("-dsannotations", component)));
    }

    @Override
    protected Duration mayTake() {
        return LONG.plus(Duration.ofMinutes(10));
    }

    @Test
    public void C14_nothingIsLeftOfWhatCameAndWentUnderTraffic() throws Exception {
        System.out.printf("churn with seed %d (repeat it with -Dverbena.churn.seed=%d)%n", SEED, SEED);
        begin();
        long start = System.nanoTime();
        int cycles = 0;
        while (cycles < CYCLES || System.nanoTime() - start < LONG.toNanos()) {
            cycles++;
            cycle.clear();
            try {
                turn();
            } catch (Throwable failed) {
                AssertionError where = new AssertionError("seed " + SEED + ", cycle " + cycles + ": " + cycle + ": "
                        + failed.getMessage() + "; traffic: " + traffic);
                // Pax Exam would take a cause for the whole.
                where.addSuppressed(failed);
                // What hangs may keep the framework from stopping, and then nothing else tells of it.
                System.out.println(where.getMessage());
                Thread.getAllStackTraces().forEach(ChurnIT::print);
                throw where;
            }
            if (cycles % 100 == 0) {
                report(cycles, start);
            }
        }
        report(cycles, start);
        assertThat(traffic.count("DEVICE_REMOVAL"))
                .as("removals that met traffic")
                .isPositive();
        traffic.pause();
        stopConsumers();
        for (String bundle : BUNDLES) {
            refreshWatched(bundleNamed(bundle));
        }
        // A thread or a lock of the framework may keep what was there last, but no update may add to it.
        List<String> kept = oldClasses.left();
        if (Set.copyOf(kept).size() < kept.size()) {
            System.out.println("what keeps old classes is in " + dumpHeap());
        }
        assertThat(kept)
                .as("kept classes of %d updates, seed %d", oldClasses.count(), SEED)
                .doesNotHaveDuplicates();
    }

    /** By its name, since frameworks do not export the package of the bean. */
    private static Path dumpHeap() throws Exception {
        Path file = Path.of("target", "churn-" + System.currentTimeMillis() + ".hprof")
                .toAbsolutePath();
        ManagementFactory.getPlatformMBeanServer()
                .invoke(
                        new ObjectName("com.sun.management:type=HotSpotDiagnostic"),
                        "dumpHeap",
                        new Object[] {file.toString(), true},
                        new String[] {"java.lang.String", "boolean"});
        return file;
    }

    private static void print(Thread thread, StackTraceElement[] stack) {
        System.out.println(thread);
        for (StackTraceElement frame : stack) {
            System.out.println("    at " + frame);
        }
    }

    private void report(int cycles, long start) {
        System.out.printf(
                "churn: %d cycles in %d s, %d pings, %d removals told, %s%n",
                cycles,
                TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start),
                traffic.count("pings"),
                traffic.count("DEVICE_REMOVAL"),
                done);
    }

    private void begin() throws Exception {
        context.addFrameworkListener(event -> {
            if (event.getType() == FrameworkEvent.ERROR) {
                frameworkErrors.add(event.getBundle() + ": " + event.getThrowable());
            }
        });
        // Nobody here is slow: if something is waited for, even on a machine that is busy, it must be seen.
        configureCore(Map.of("removal.deadline.ms", 20_000, "blocked.after.ms", 20_000));
        Dictionary<String, Object> properties = new Hashtable<>();
        properties.put("hook", COMPONENT);
        BiConsumer<String, Runnable> nothing = (moment, destroy) -> {};
        context.registerService(BiConsumer.class, nothing, properties);
        // What is sent to a device that is away is not answered: the next attempt shall not wait for that.
        loopback.connectTimeout(Duration.ofMillis(50));
        LOOPBACK_DEVICES.forEach((name, address) -> loopback.configure(name, 0, address));
        IWARP_DEVICES.keySet().forEach(this::configureIwarp);
        traffic = new Traffic(context, DEVICES.values().toArray(String[]::new));
        traffic.hold();
        startConsumers();
    }

    private void turn() throws Exception {
        traffic.resume();
        traffic.awaitConversations(1);
        traffic.awaitMore("pings", random.nextInt(100));
        act();
        awaitDevices();
        traffic.awaitConversations(1);
        traffic.pause();
        nothingIsOpenWithoutTraffic();
        stopConsumers();
        nothingIsLeft();
        startConsumers();
    }

    // What is done

    private void act() throws Exception {
        switch (random.nextInt(5)) {
            case 0, 1 -> perform(deedOnBundle());
            case 2, 3 -> perform(deedOnDevice());
            default -> {
                Deed beside = deedThatTakesAway();
                CompletableFuture<Duration> hand = inBackground(() -> performIfPossible(beside));
                perform(deedOnBundle());
                hand.get(BOUND.toSeconds(), TimeUnit.SECONDS);
            }
        }
    }

    private void perform(Deed deed) throws Exception {
        cycle.add(deed.name());
        done.merge(deed.name().split(" ")[0], 1, Integer::sum);
        assertThat(timed(deed.action())).as(deed.name()).isLessThan(BOUND);
        cycle.add(deed.name() + " done");
    }

    /** Beside what is done to a bundle the device, or who could do it, may be gone at any time. */
    private void performIfPossible(Deed deed) throws Exception {
        try {
            perform(deed);
        } catch (IllegalStateException | RdmaException | ExecutionException gone) {
            cycle.add(deed.name() + " was not possible: " + gone);
        }
    }

    private Deed deedOnBundle() {
        String name = any(BUNDLES);
        return any(List.of(
                new Deed("restart " + name, () -> restart(bundleNamed(name))),
                new Deed("update " + name, () -> updateWatched(bundleNamed(name))),
                new Deed("refresh " + name, () -> refreshWatched(bundleNamed(name))),
                new Deed("reinstall " + name, () -> reinstall(bundleNamed(name)))));
    }

    private Deed deedOnDevice() {
        String name = any(List.copyOf(LOOPBACK_DEVICES.keySet()));
        return any(List.of(
                deedThatTakesAway(),
                deedThatTakesAway(),
                new Deed("readdress " + name, () -> changeAddresses(name)),
                new Deed("link " + name, () -> changeLink(name))));
    }

    /**
     * Changes no properties of a service: Declarative Services may lose a component for good whose device is modified on
     * one thread while it is unregistered on another.
     */
    private Deed deedThatTakesAway() {
        String any = any(NAMES);
        String name = any(List.copyOf(LOOPBACK_DEVICES.keySet()));
        return any(List.of(
                new Deed("unplug " + any, () -> unplugAndPlug(any)),
                new Deed("configure " + any, () -> deleteAndConfigure(any)),
                new Deed("pull " + name, () -> pullOutAndPutBack(name)),
                new Deed("break " + name, () -> breakConnections(name))));
    }

    private <T> T any(List<T> choice) {
        return choice.get(random.nextInt(choice.size()));
    }

    private void restart(Bundle bundle) throws Exception {
        bundle.stop();
        nothingIsLeftOf(bundle);
        bundle.start();
    }

    private void updateWatched(Bundle bundle) throws Exception {
        oldClasses.of(bundle);
        update(bundle);
    }

    private void refreshWatched(Bundle bundle) {
        oldClasses.of(bundle);
        refresh(bundle);
    }

    private void reinstall(Bundle bundle) throws Exception {
        oldClasses.of(bundle);
        bundle.uninstall();
        nothingIsLeftOf(bundle);
        refresh(bundle);
        context.installBundle(bundle.getLocation()).start();
    }

    private void unplugAndPlug(String name) throws Exception {
        Monitor monitor = monitor();
        monitor.unplug(name).toCompletableFuture().get(BOUND.toSeconds(), TimeUnit.SECONDS);
        assertThat(monitor.snapshot().ids()).extracting(IdSnapshot::device).doesNotContain(name);
        monitor.plug(name).toCompletableFuture().get(BOUND.toSeconds(), TimeUnit.SECONDS);
    }

    private Monitor monitor() {
        ServiceReference<Monitor> reference = context.getServiceReference(Monitor.class);
        Monitor monitor = reference == null ? null : context.getService(reference);
        if (monitor == null) {
            throw new IllegalStateException("there is no monitor now");
        }
        return monitor;
    }

    private void deleteAndConfigure(String name) {
        if (LOOPBACK_DEVICES.containsKey(name)) {
            loopback.unplug(name);
            loopback.configure(name, 0, DEVICES.get(name));
        } else {
            iwarpConfiguration(name).call("delete");
            services.awaitNoDevice(name);
            configureIwarp(name);
        }
    }

    private void configureIwarp(String name) {
        Dictionary<String, Object> properties = new Hashtable<>();
        properties.put("name", name);
        properties.put("addresses", DEVICES.get(name));
        iwarpConfiguration(name).call("update", properties);
    }

    private Reflected iwarpConfiguration(String name) {
        return services.configurationAdmin().follow("getFactoryConfiguration", IWARP.replace('-', '.'), name, "?");
    }

    private void pullOutAndPutBack(String name) throws Exception {
        loopback.faults().pullOut(name).toCompletableFuture().get(BOUND.toSeconds(), TimeUnit.SECONDS);
        loopback.faults().device(name).call("putBack");
    }

    private void changeAddresses(String name) {
        loopback.faults().changeAddresses(name, "198.18.0.7");
        loopback.faults().changeAddresses(name, DEVICES.get(name));
    }

    private void breakConnections(String name) {
        loopback.faults().device(name).call("breakConnections", "CONNECTION_ABORTED");
    }

    private void changeLink(String name) {
        loopback.faults().device(name).call("changeLink", "DOWN");
        loopback.faults().device(name).call("changeLink", "UP");
    }

    private void startConsumers() throws Exception {
        for (String consumer : CONSUMERS) {
            start(consumer);
        }
    }

    private void stopConsumers() throws Exception {
        List<String> order = new ArrayList<>(CONSUMERS);
        Collections.shuffle(order, random);
        for (String consumer : order) {
            stop(consumer);
        }
    }

    // What must be

    private void awaitDevices() {
        eventually().alias("the devices come back").until(() -> services.all(Services.RDMA_DEVICE, null).stream()
                .map(device -> device.getProperty("rdma.name"))
                .sorted()
                .toList()
                .equals(NAMES));
    }

    /** A bundle has stopped, or is uninstalled, and its traffic goes on elsewhere. */
    private void nothingIsLeftOf(Bundle bundle) {
        String name = bundle.getSymbolicName();
        if (CONSUMERS.contains(name)) {
            assertThat(snapshotOf(name)).isEmpty();
        } else if (name.equals(CORE)) {
            assertThat(services.all(Services.RDMA_DEVICE, null)).isEmpty();
            eventually().until(() -> threads("verbena-core", "verbena-callback", "verbena-timer")
                    .isEmpty());
        } else {
            Set<String> names = (name.equals(LOOPBACK) ? LOOPBACK_DEVICES : IWARP_DEVICES).keySet();
            assertThat(snapshot().ids()).extracting(IdSnapshot::device).doesNotContainAnyElementsOf(names);
            String threads = name.equals(LOOPBACK) ? "verbena-loopback" : "verbena-iw";
            eventually().until(() -> threads(threads).isEmpty());
        }
    }

    /** The bundles of the traffic are there, and the server listens; all connections have come to their end. */
    private void nothingIsOpenWithoutTraffic() {
        traffic.assertNoProblem();
        eventually().untilAsserted(() -> {
            Snapshot now = snapshot();
            assertThat(now.ids()).as("ids").isEmpty();
            assertThat(now.listeners())
                    .allMatch(listener -> listener.failures().isEmpty())
                    .extracting(listener -> listener.id().consumer())
                    .contains(SERVER)
                    // Declarative Services may lose a component whose device goes on two threads at a time.
                    .isSubsetOf(SERVER, COMPONENT);
            assertThat(now.connections()).isEmpty();
            assertThat(now.removals()).isEmpty();
            assertThat(now.consumers()).allSatisfy(consumer -> {
                assertThat(consumer.verbsObjects()).as("verbs of %s", consumer).isZero();
                assertThat(consumer.forced()).as("forced of %s", consumer).isZero();
            });
        });
    }

    private void nothingIsLeft() {
        traffic.assertNoProblem();
        Snapshot now = snapshot();
        assertThat(now.ids()).isEmpty();
        assertThat(now.listeners()).isEmpty();
        assertThat(now.consumers()).isEmpty();
        assertThat(now.devices()).extracting(DeviceSnapshot::name).containsExactlyInAnyOrderElementsOf(NAMES);
        assertThat(now.devices()).allSatisfy(device -> {
            assertThat(device.condition()).isEqualTo(DeviceSnapshot.Condition.PRESENT);
            assertThat(device.verbsObjects().values()).allMatch(count -> count == 0);
        });
        // Each device is open, and nothing on it.
        eventually().until(() -> loopback.faults().open("lo1", "lo2") == 2);
        assertThat(loopback.allViolations()).isEmpty();
        noServiceIsKept();
        noThreadIsLeft();
        assertThat(complaints("org.apache.felix.scr")).isEmpty();
        assertThat(complaints(VERBENA)).isEmpty();
        assertThat(frameworkErrors).isEmpty();
        forgetLog();
    }

    private void noServiceIsKept() {
        for (String consumer : CONSUMERS) {
            assertThat(bundleNamed(consumer).getServicesInUse()).as(consumer).isNullOrEmpty();
        }
        for (String service : List.of(Services.RDMA_DEVICE, Services.CONNECTION_MANAGER)) {
            assertThat(services.all(service, null))
                    .allSatisfy(reference ->
                            assertThat(reference.getUsingBundles()).as(service).isNullOrEmpty());
        }
        assertThat(new HashSet<>(Arrays.asList(bundleNamed(CORE).getServicesInUse())))
                .as("what core uses")
                .isEqualTo(new HashSet<>(services.all("org.verbena.rdma.spi.ProviderDevice", null)));
    }

    private void noThreadIsLeft() {
        eventually().untilAsserted(() -> {
            assertThat(threads("echo ")).isEmpty();
            assertThat(threads("verbena-timer")).hasSize(1);
            assertThat(threads("verbena-iwarp-interfaces")).hasSize(1);
            assertThat(threads("verbena-loopback-").size()).isLessThanOrEqualTo(2);
            assertThat(threads("verbena-")).noneMatch(name -> name.contains("removal") || name.contains("pull-out"));
            Map<String, Integer> loops = new LinkedHashMap<>();
            threads("verbena-iw1").forEach(name -> loops.merge(name, 1, Integer::sum));
            assertThat(loops.values()).allMatch(count -> count == 1);
            assertThat(Thread.getAllStackTraces().keySet()).noneMatch(oldClasses::isUsedBy);
        });
    }
}
