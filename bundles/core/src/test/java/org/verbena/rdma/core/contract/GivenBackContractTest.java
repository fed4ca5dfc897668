package org.verbena.rdma.core.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.verbena.rdma.core.contract.Bench.await;
import static org.verbena.rdma.core.contract.Bench.endpoint;
import static org.verbena.rdma.core.contract.Bench.join;
import static org.verbena.rdma.core.contract.Bench.passLane;
import static org.verbena.rdma.core.contract.Bench.run;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.verbena.rdma.Access;
import org.verbena.rdma.CompletionQueue;
import org.verbena.rdma.DeviceRemovedException;
import org.verbena.rdma.MemoryRegion;
import org.verbena.rdma.ProtectionDomain;
import org.verbena.rdma.QueuePairConfiguration;
import org.verbena.rdma.RdmaDevice;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.cm.CmEventType;
import org.verbena.rdma.cm.CmId;
import org.verbena.rdma.cm.ConnectionParameters;
import org.verbena.rdma.cm.EventHandler.Verdict;
import org.verbena.rdma.core.device.Device;
import org.verbena.rdma.core.scripted.ScriptedDevice;
import org.verbena.rdma.core.session.CmVersion;
import org.verbena.rdma.core.session.Session;

/**
 * A consumer that has one session for connections and another for the device, which it gives back when the device's service
 * goes: what a service tracker, or a component with a dynamic reference, does.
 */
class GivenBackContractTest {
    private static final long BUNDLE = 7;

    private final Bench bench = new Bench();
    private final ScriptedDevice provider = bench.plug("d0", Bench.LOCAL);
    private final Session session = bench.core.openSession("consumer", BUNDLE, CmVersion.CURRENT);
    private final Device device = bench.core.devices().slots().iterator().next().device();
    private final RdmaDevice view = bench.core.device(session, device);
    private final Bench.Consumer consumer =
            bench.new Consumer(bench.core.openSession("consumer", BUNDLE, CmVersion.CURRENT));
    private final Probe probe = new Probe();
    private CompletionQueue queue;
    private MemoryRegion region;
    private CmId id;

    @BeforeEach
    void connect() {
        id = consumer.routed(provider, probe);
        run(() -> {
            ProtectionDomain domain = view.createProtectionDomain();
            queue = view.createCompletionQueue(8, null);
            region = domain.registerMemory(ByteBuffer.allocateDirect(64), Set.of(Access.LOCAL_WRITE));
            id.createQueuePair(domain, QueuePairConfiguration.reliable(queue));
            id.connect(ConnectionParameters.defaults());
        });
        endpoint(provider).upcalls.established(ConnectionParameters.defaults());
        probe.await(CmEventType.ESTABLISHED);
        for (int number = 1; number <= 3; number++) {
            post(number);
        }
        bench.publisher.whenUnpublished = () -> bench.core.giveBack(session, device);
    }

    private void post(long number) {
        run(() -> id.queuePair()
                .postReceive(region.protectionDomain()
                        .createReceiveWorkRequest(1)
                        .workRequestId(number)
                        .segment(region, 0, 64)));
    }

    @AfterEach
    void stop() {
        bench.close();
        assertThat(provider.violations).isEmpty();
    }

    private List<Long> poll() throws RdmaException {
        var completions = queue.createWorkCompletions(8);
        List<Long> numbers = new ArrayList<>();
        int count = queue.poll(completions);
        for (int i = 0; i < count; i++) {
            numbers.add(completions.workRequestId(i));
        }
        return numbers;
    }

    @Test
    @DisplayName("C10: what was made through a device that is given back because it goes works until its id is told")
    void worksUntilTheIdIsTold() {
        List<Long> read = new CopyOnWriteArrayList<>();
        probe.on(CmEventType.DEVICE_REMOVAL, event -> {
            event.id().queuePair().fail();
            read.addAll(poll());
            return Verdict.DESTROY;
        });

        bench.pull(provider);

        assertThat(read).containsExactly(1L, 2L, 3L);
        assertThat(provider.live).hasValue(0);
        assertThat(bench.core.monitor().snapshot().consumers())
                .singleElement()
                .satisfies(left -> assertThat(left.sessions()).isEqualTo(1));
    }

    @Test
    @DisplayName("C10: completions that a removal has flushed stay readable though the device was given back")
    void flushedStayReadable() throws RdmaException {
        bench.pull(provider);

        assertThat(poll()).containsExactly(1L, 2L, 3L);
        assertThatThrownBy(this::poll).isInstanceOf(DeviceRemovedException.class);
    }

    @Test
    @DisplayName("C10: a device that is given back because it goes says that it goes, not that it was given back")
    void saysThatItGoes() {
        bench.pull(provider);

        assertThatThrownBy(view::createProtectionDomain).isInstanceOf(DeviceRemovedException.class);
        assertThatThrownBy(view::createCompletionChannel).isInstanceOf(DeviceRemovedException.class);
        assertThatThrownBy(() -> view.createCompletionQueue(1, null)).isInstanceOf(DeviceRemovedException.class);
    }

    @Test
    @DisplayName("C12: a bundle that stops loses at once what it has left to a removal, and is called no more")
    void stops() {
        bench.bePatient();
        AtomicBoolean told = new AtomicBoolean();
        region.onRevoked(() -> told.set(true));
        Thread puller = bench.pullInBackground(provider);
        probe.await(CmEventType.DEVICE_REMOVAL);
        assertThat(region.isOpen()).isTrue();

        bench.core.endBundle(BUNDLE + 1);
        assertThat(region.isOpen()).isTrue();
        bench.core.endBundle(BUNDLE);

        assertThat(region.isOpen()).isFalse();
        assertThat(queue.isOpen()).isFalse();
        consumer.end();
        join(puller);
        passLane(consumer);
        assertThat(told).isFalse();
    }

    @Test
    @DisplayName("C12: what was made through a device that is given back for another reason is gone at once")
    void givenBackForAnotherReason() {
        bench.core.giveBack(session, device);

        assertThat(region.isOpen()).isFalse();
        assertThat(queue.isOpen()).isFalse();
        assertThat(id.queuePair().isOpen()).isFalse();
        await(() -> provider.live.get() == 1);
    }
}
