package org.verbena.rdma.core.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.verbena.rdma.core.contract.Bench.await;
import static org.verbena.rdma.core.contract.Bench.background;
import static org.verbena.rdma.core.contract.Bench.join;
import static org.verbena.rdma.core.contract.Bench.run;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.verbena.rdma.DeviceAttributes;
import org.verbena.rdma.DeviceCapability;
import org.verbena.rdma.PrivateDataCarrier;
import org.verbena.rdma.RdmaDevice;
import org.verbena.rdma.core.device.DeviceRank;
import org.verbena.rdma.core.device.DeviceSlot;
import org.verbena.rdma.core.scripted.CapturedLog;
import org.verbena.rdma.core.scripted.ScriptedDevice;
import org.verbena.rdma.monitor.DeviceSnapshot;
import org.verbena.rdma.monitor.MonitorListener;
import org.verbena.rdma.spi.ProviderDevice;

/** What races with a device that is being added: a provider is called after its open and before its close only. */
class AddContractTest {
    private final Bench bench = new Bench();
    private final CountDownLatch inside = bench.latch();
    private final CountDownLatch go = bench.latch();

    @AfterEach
    void stop() {
        bench.close();
    }

    private void hold() {
        inside.countDown();
        await(go);
    }

    private static void pass() {
        try {
            // Nothing can be waited for that does not happen; a wrong call would come within this time.
            assertThat(new CountDownLatch(1).await(50, TimeUnit.MILLISECONDS)).isFalse();
        } catch (InterruptedException stopped) {
            throw new AssertionError(stopped);
        }
    }

    private boolean isIdle(Thread thread) {
        for (StackTraceElement frame : thread.getStackTrace()) {
            if (frame.getClassName().equals(DeviceSlot.class.getName())) {
                return false;
            }
        }
        return true;
    }

    @Test
    @DisplayName("C9: a change that a provider tells while it is being opened is read when it is open")
    void changesWhileItOpens() {
        List<String> up = new CopyOnWriteArrayList<>();
        bench.core.monitor().addListener(new MonitorListener() {
            @Override
            public void deviceUp(DeviceSnapshot device) {
                up.add(device.condition().name());
            }
        });
        ScriptedDevice device = new ScriptedDevice("d0", Bench.LOCAL);
        CountDownLatch told = new CountDownLatch(1);
        device.on("open", () -> {
            bench.core.devices().follow(told::countDown);
            device.changeAddresses("192.0.2.7");
            hold();
        });
        DeviceSlot slot = bench.offer(device, 0);
        await(inside);
        await(told);

        assertThat(device.violations).isEmpty();
        assertThat(slot.device().addresses()).isEmpty();
        go.countDown();

        await(() -> slot.condition() == DeviceSnapshot.Condition.PRESENT);
        await(() -> !up.isEmpty());
        assertThat(up).as("told of while it was being opened").containsOnly("PRESENT");
        assertThat(slot.device().addresses())
                .extracting(java.net.InetAddress::getHostAddress)
                .containsExactly("192.0.2.7");
    }

    /** A second d0 whose addresses are being read by another thread when its adding finds the name taken. */
    private ScriptedDevice readWhileItFails() {
        bench.plug("d0", Bench.LOCAL);
        ScriptedDevice second = new ScriptedDevice("d0", "192.0.2.2");
        DeviceSlot slot;
        synchronized (bench.core.devices()) {
            CountDownLatch read = new CountDownLatch(1);
            AtomicReference<Thread> adding = new AtomicReference<>();
            second.on("addresses", () -> {
                adding.set(Thread.currentThread());
                read.countDown();
            });
            slot = bench.offer(second, 0);
            await(read);
            await(() -> adding.get().getState() == Thread.State.BLOCKED);
            second.on("addresses", this::hold);
            second.upcalls.addressesChanged();
            await(inside);
        }
        await(() -> slot.device() == null || slot.condition() == DeviceSnapshot.Condition.FAILED || isMarked(slot));
        return second;
    }

    private static boolean isMarked(DeviceSlot slot) {
        var device = slot.device();
        return device == null || device.isMarked();
    }

    private DeviceSnapshot.Condition condition(String address) {
        return bench.core.monitor().snapshot().devices().stream()
                .filter(device -> !device.addresses().contains(address))
                .map(DeviceSnapshot::condition)
                .filter(condition -> condition != DeviceSnapshot.Condition.PRESENT)
                .findFirst()
                .orElse(null);
    }

    @Test
    @DisplayName("C9: a device whose name is taken is closed when the thread that reads its addresses is out")
    void nameTakenWhileItIsRead() {
        bench.bePatient();
        ScriptedDevice second = readWhileItFails();
        pass();
        assertThat(second.closes).hasValue(0);

        go.countDown();

        await(() -> condition(Bench.LOCAL) == DeviceSnapshot.Condition.FAILED);
        assertThat(second.closes).hasValue(1);
        assertThat(second.violations).isEmpty();
    }

    @Test
    @DisplayName("C9: a device whose name is taken goes while a thread is inside: its unregistration waits")
    void withdrawnWhileItFails() {
        bench.core.configure(Bench.PATIENT_WITH_PROVIDERS);
        ScriptedDevice second = readWhileItFails();
        Thread puller = bench.pullInBackground(second);
        await(() -> bench.step("d0") == org.verbena.rdma.monitor.RemovalSnapshot.Step.WAITING_FOR_PROVIDER);
        assertThat(second.closes).hasValue(0);

        go.countDown();

        join(puller);
        assertThat(second.closes).hasValue(1);
        assertThat(second.violations).isEmpty();
    }

    @Test
    @DisplayName("C9: a device whose name is taken and in which a thread hangs is abandoned, and never closed")
    void nameTakenWhileItHangs() {
        ScriptedDevice second;
        try (CapturedLog log = new CapturedLog()) {
            second = readWhileItFails();

            await(() -> condition(Bench.LOCAL) == DeviceSnapshot.Condition.ABANDONED);
            await(() -> log.text().contains("device d0 is abandoned: thread verbena-core-"));
            assertThat(log.text()).containsOnlyOnce("is abandoned").contains("AddContractTest.hold(");
        }

        go.countDown();
        pass();
        assertThat(second.closes).hasValue(0);
    }

    @Test
    @DisplayName("C9: an add that ends late, after a removal, does not end the next add of the device")
    void lateEndOfAnAdd() {
        ScriptedDevice device = new ScriptedDevice("d0", Bench.LOCAL);
        AtomicBoolean first = new AtomicBoolean(true);
        CountDownLatch shown = bench.latch();
        CountDownLatch show = bench.latch();
        AtomicReference<Thread> adding = new AtomicReference<>();
        bench.publisher.whenPublished = () -> {
            if (first.getAndSet(false)) {
                adding.set(Thread.currentThread());
                shown.countDown();
                await(show);
            }
        };
        DeviceSlot slot = bench.offer(device, 0);
        await(shown);
        run(() -> bench.core.monitor().unplug("d0").toCompletableFuture().join());
        device.on("open", this::hold);
        var plugged = Bench.call(() -> bench.core.monitor().plug("d0"));
        await(inside);

        show.countDown();
        await(() -> isIdle(adding.get()));

        assertThat(slot.condition()).isNotEqualTo(DeviceSnapshot.Condition.PRESENT);
        assertThat(slot.serving()).isNull();
        bench.core.monitor().snapshot();
        assertThat(device.violations).isEmpty();
        go.countDown();
        plugged.toCompletableFuture().join();
        assertThat(slot.condition()).isEqualTo(DeviceSnapshot.Condition.PRESENT);
        assertThat(device.opens).hasValue(2);
    }

    @Test
    @DisplayName("C9: an open that comes back after its device was abandoned changes nothing")
    void abandonedInOpen() {
        ScriptedDevice device = new ScriptedDevice("d0", Bench.LOCAL);
        AtomicReference<Thread> adding = new AtomicReference<>();
        device.on("open", () -> {
            adding.set(Thread.currentThread());
            hold();
        });
        DeviceSlot slot = bench.offer(device, 0);
        await(inside);
        bench.pull(device);
        assertThat(slot.condition()).isEqualTo(DeviceSnapshot.Condition.ABANDONED);

        go.countDown();
        await(() -> device.opens.get() == 1 && isIdle(adding.get()));

        assertThat(slot.condition()).isEqualTo(DeviceSnapshot.Condition.ABANDONED);
        assertThat(device.closes).hasValue(0);
    }

    /** A device that answers one question with null. */
    private DeviceSlot offerWithNull(String question) {
        ScriptedDevice device = new ScriptedDevice("d0", Bench.LOCAL);
        ProviderDevice offered = (ProviderDevice) Proxy.newProxyInstance(
                ProviderDevice.class.getClassLoader(), new Class<?>[] {ProviderDevice.class}, (self, method, args) -> {
                    if (method.getName().equals("attributes")) {
                        return withNull(DeviceAttributes.class, device.attributes(), question);
                    }
                    return method.getName().equals(question) ? null : method.invoke(device, args);
                });
        return bench.core.devices().offer(offered, new DeviceRank(0, 1));
    }

    private static <T> T withNull(Class<T> type, T told, String question) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (self, method, args) -> method.getName().equals(question) ? null : method.invoke(told, args)));
    }

    @Test
    @DisplayName("A provider that tells no link state keeps nobody from looking at the devices")
    void linkStateIsNull() {
        DeviceSlot slot = offerWithNull("linkState");
        await(() -> slot.serving() != null);

        assertThat(bench.core.monitor().snapshot().devices())
                .singleElement()
                .satisfies(device -> assertThat(device.link()).isEqualTo("unknown"));
        bench.core.devices().withdraw(List.of(slot), "test");
    }

    @ParameterizedTest
    @ValueSource(strings = {"provider", "transport"})
    @DisplayName("A device of which its provider does not tell what it is cannot be used, and the reason names it")
    void attributeIsNull(String question) {
        DeviceSlot slot = offerWithNull(question);

        await(() -> slot.condition() == DeviceSnapshot.Condition.FAILED);

        assertThat(slot.detail()).contains(question);
        assertThat(bench.core.monitor().snapshot().devices()).hasSize(1);
    }

    @Test
    @DisplayName("C18: what a device is comes from the provider once, whoever asks and whenever")
    void attributesAreToldOnce() {
        ScriptedDevice device = bench.plug("d0", Bench.LOCAL);
        RdmaDevice seen = bench.consumer("consumer").device("d0");
        DeviceAttributes attributes = seen.attributes();
        List<String> asked = new CopyOnWriteArrayList<>();
        device.on("device attributes", () -> asked.add("device attributes"));
        device.on("attributes", () -> asked.add("attributes"));
        bench.consumer("other").established(device, new Probe());
        bench.pull(device);

        assertThat(seen.attributes()).isEqualTo(attributes);
        assertThat(attributes.provider()).isEqualTo("scripted");
        assertThat(attributes.maxPrivateData(PrivateDataCarrier.REQUEST)).isEqualTo(56);
        assertThat(attributes.supports(DeviceCapability.DATAGRAM)).isFalse();
        assertThat(asked).isEmpty();
    }

    @Test
    @DisplayName(
            "C9: plugging, unplugging and taking away at once leaves every device closed as often as it was opened")
    void everythingAtOnce() {
        for (int round = 0; round < 100; round++) {
            ScriptedDevice one = new ScriptedDevice("d0", Bench.LOCAL);
            ScriptedDevice other = new ScriptedDevice("d0", "192.0.2.2");
            one.on("open", one::tellAddresses);
            other.on("open", other::tellAddresses);
            bench.offer(one, 0);
            Thread offering = background("offering", () -> bench.offer(other, 0));
            Thread plugging = background("plugging", this::plugAndUnplug);
            Thread unplugging = background("unplugging", this::plugAndUnplug);
            Thread looking = background("looking", () -> {
                for (int i = 0; i < 5; i++) {
                    bench.core.monitor().snapshot();
                }
            });
            Thread puller = bench.pullInBackground(one);
            join(offering);
            join(puller);
            join(plugging);
            join(unplugging);
            join(looking);
            bench.pull(other);
            assertThat(one.violations).isEmpty();
            assertThat(other.violations).isEmpty();
            assertThat(one.closes.get()).isEqualTo(one.opens.get());
            assertThat(other.closes.get()).isEqualTo(other.opens.get());
            assertThat(bench.core.devices().book().devices()).isEmpty();
        }
    }

    private void plugAndUnplug() {
        for (int i = 0; i < 3; i++) {
            try {
                bench.core.monitor().unplug("d0");
                bench.core.monitor().plug("d0");
            } catch (org.verbena.rdma.RdmaException notThereNow) {
                Thread.yield();
            }
        }
    }
}
