package org.verbena.rdma.core.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.verbena.rdma.core.contract.Bench.await;
import static org.verbena.rdma.core.contract.Bench.background;
import static org.verbena.rdma.core.contract.Bench.endpoint;
import static org.verbena.rdma.core.contract.Bench.join;
import static org.verbena.rdma.core.contract.Bench.run;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.verbena.rdma.Access;
import org.verbena.rdma.CompletionChannel;
import org.verbena.rdma.CompletionQueue;
import org.verbena.rdma.DeviceRemovedException;
import org.verbena.rdma.MemoryRegion;
import org.verbena.rdma.ProtectionDomain;
import org.verbena.rdma.QueuePairConfiguration;
import org.verbena.rdma.RdmaDevice;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.cm.CmEventType;
import org.verbena.rdma.cm.CmId;
import org.verbena.rdma.cm.ConnectionParameters;
import org.verbena.rdma.cm.EventHandler.Verdict;
import org.verbena.rdma.core.CoreConfiguration;
import org.verbena.rdma.core.device.DeviceSlot;
import org.verbena.rdma.core.scripted.ScriptedDevice;
import org.verbena.rdma.core.scripted.ScriptedDevice.ScriptedEndpoint;
import org.verbena.rdma.monitor.DeviceSnapshot;

/** Each call into a provider hangs, throws, throws an Error, or comes back late: the device can be taken away all the same. */
class ProviderFaultTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final InetSocketAddress PEER = new InetSocketAddress(Bench.REMOTE, 7174);

    /** What can go wrong in a call. */
    private enum Fault {
        HANGS,
        REFUSES,
        THROWS,
        THROWS_ERROR,
        COMES_LATE
    }

    /** Consumers have little time; a call that comes back is waited for. */
    private static final CoreConfiguration SHORT = new CoreConfiguration(
            Duration.ofMillis(50), Duration.ofMillis(50), LONG, 4, Duration.ofSeconds(1), Duration.ofMillis(50));

    /** So has a call. */
    private static final CoreConfiguration IMPATIENT = new CoreConfiguration(
            Duration.ofMillis(50),
            Duration.ofMillis(50),
            Duration.ofMillis(200),
            4,
            Duration.ofSeconds(1),
            Duration.ofMillis(50));

    private interface Step {
        void run(ProviderFaultTest test) throws Exception;
    }

    /** Each call of the interface for providers, and what makes core call it. */
    private static final Map<String, Step> CALLS = new LinkedHashMap<>();

    static {
        CALLS.put("addresses", test -> test.device.upcalls.addressesChanged());
        CALLS.put("createProtectionDomain", test -> test.view.createProtectionDomain());
        CALLS.put("createCompletionQueue", test -> test.view.createCompletionQueue(4, null));
        CALLS.put("listen", test -> test.consumer.id(new Probe()).listen(1));
        CALLS.put("resolve", test -> test.consumer.id(new Probe()).resolveAddress(null, PEER, LONG));
        CALLS.put("queryPath", test -> test.query());
        CALLS.put("localAddress", test -> test.device.listeners.get(0).request());
        CALLS.put("resolveRoute", test -> test.resolved.resolveRoute(LONG));
        CALLS.put(
                "createQueuePair",
                test -> test.resolved.createQueuePair(test.domain, QueuePairConfiguration.reliable(test.queue)));
        CALLS.put("connect", test -> test.routed.connect(ConnectionParameters.defaults()));
        CALLS.put("establish", test -> test.responded.establish());
        CALLS.put("accept", test -> test.child.accept(ConnectionParameters.defaults()));
        CALLS.put("reject", test -> test.child.reject(null));
        CALLS.put("disconnect", test -> test.established.disconnect());
        CALLS.put("registerMemory", test -> test.register());
        CALLS.put("poll", test -> test.queue.poll(test.queue.createWorkCompletions(1)));
        CALLS.put("requestNotification", test -> test.queue.requestNotification(false));
        CALLS.put("postSend", test -> test.send());
        CALLS.put("postReceive", test -> test.receive());
        CALLS.put("fail", test -> test.established.queuePair().fail());
        CALLS.put("closed endpoint", test -> test.resolved.destroy());
        CALLS.put("closed listener", test -> test.listener.destroy());
        CALLS.put("closed path query", test -> test.query().cancel());
        CALLS.put("closed queue pair", test -> test.established.queuePair().close());
        CALLS.put("closed memory region", test -> test.region.close());
        CALLS.put(
                "closed completion queue",
                test -> test.view.createCompletionQueue(4, null).close());
        CALLS.put(
                "closed protection domain",
                test -> test.view.createProtectionDomain().close());
        CALLS.put("close device", test -> {});
    }

    static Stream<Arguments> faults() {
        return CALLS.keySet().stream().flatMap(call -> Stream.of(Fault.values())
                // These are not declared to throw it.
                .filter(fault -> fault != Fault.REFUSES || !call.matches("close.*|addresses|localAddress"))
                .map(fault -> Arguments.of(call, fault)));
    }

    private final Bench bench = new Bench();
    private final ScriptedDevice device = bench.plug("d0", Bench.LOCAL);
    private final Bench.Consumer consumer = bench.consumer("consumer");
    private final RdmaDevice view = consumer.device("d0");
    private final CountDownLatch go = bench.latch();
    private final List<Thread> callers = new ArrayList<>();
    private CmId listener;
    private CmId child;
    private CmId resolved;
    private CmId routed;
    private CmId responded;
    private CmId established;
    private ProtectionDomain domain;
    private CompletionQueue queue;
    private MemoryRegion region;

    @AfterEach
    void stop() {
        bench.close();
        assertThat(device.violations).isEmpty();
    }

    /** One of each kind. */
    private void make() throws RdmaException {
        AtomicReference<CmId> requested = new AtomicReference<>();
        Probe listening = new Probe().on(CmEventType.CONNECT_REQUEST, event -> {
            requested.set(event.id());
            return Verdict.KEEP;
        });
        listener = consumer.listening(listening);
        domain = view.createProtectionDomain();
        CompletionChannel channel = view.createCompletionChannel();
        queue = view.createCompletionQueue(64, channel);
        region = domain.registerMemory(ByteBuffer.allocateDirect(64), Set.of(Access.LOCAL_WRITE));
        device.listeners.get(0).request();
        listening.await(CmEventType.CONNECT_REQUEST);
        child = requested.get();
        withQueuePair(child);
        resolved = consumer.resolved(device, new Probe());
        routed = withQueuePair(consumer.routed(device, new Probe()));
        Probe responding = new Probe();
        responded = consumer.routed(device, responding);
        withQueuePair(responded).connect(ConnectionParameters.defaults());
        endpoint(device).upcalls.connectResponse(ConnectionParameters.defaults());
        responding.await(CmEventType.CONNECT_RESPONSE);
        established = consumer.routed(device, new Probe());
        withQueuePair(established).connect(ConnectionParameters.defaults());
        ScriptedEndpoint endpoint = endpoint(device);
        endpoint.upcalls.established(ConnectionParameters.defaults());
        endpoint.queuePair.state = org.verbena.rdma.QueuePairState.READY;
        await(() -> bench.core.monitor().snapshot().connections().stream()
                .anyMatch(connection -> connection.establishedMillis() >= 0));
        receive();
    }

    private CmId withQueuePair(CmId id) throws RdmaException {
        id.createQueuePair(domain, QueuePairConfiguration.reliable(queue));
        return id;
    }

    private MemoryRegion register() throws RdmaException {
        return domain.registerMemory(ByteBuffer.allocateDirect(64), Set.of(Access.LOCAL_WRITE));
    }

    private void receive() throws RdmaException {
        established.queuePair().postReceive(domain.createReceiveWorkRequest(1).segment(region, 0, 64));
    }

    private void send() throws RdmaException {
        established.queuePair().postSend(domain.createSendWorkRequest(1).send().segment(region, 0, 64));
    }

    private org.verbena.rdma.PathQuery query() throws Exception {
        int before = device.queries.size();
        var query = view.queryPath(InetAddress.getByName(Bench.LOCAL), InetAddress.getByName(Bench.REMOTE), LONG);
        if (before == device.queries.size()) {
            await(() -> device.queries.size() > before
                    || query.path().toCompletableFuture().isDone()
                    || isInside());
        }
        return query;
    }

    private boolean isInside() {
        return entered.getCount() == 0;
    }

    private final CountDownLatch entered = new CountDownLatch(1);

    private void inject(Fault fault) throws RdmaException {
        entered.countDown();
        switch (fault) {
            case HANGS, COMES_LATE -> await(go);
            case REFUSES -> throw new RdmaException(RdmaError.NO_MEMORY, "on purpose");
            case THROWS -> throw new UnsupportedOperationException("on purpose");
            case THROWS_ERROR -> throw new StackOverflowError("on purpose");
        }
    }

    @ParameterizedTest(name = "C9: {0} {1}")
    @MethodSource("faults")
    @DisplayName("C9: whatever a provider does in whatever call, its device can be taken away, and others go on")
    void faultIn(String call, Fault fault) throws Exception {
        make();
        bench.core.configure(fault == Fault.HANGS ? IMPATIENT : SHORT);
        ScriptedDevice other = bench.plug("d1", "192.0.2.2");
        device.on(call, () -> inject(fault));
        callers.add(background("caller of " + call, () -> {
            try {
                CALLS.get(call).run(this);
            } catch (Exception | StackOverflowError failed) {
                // What comes late but in good order fails for the removal alone, if at all (C18).
                if (fault == Fault.COMES_LATE) {
                    assertThat(failed).isInstanceOf(DeviceRemovedException.class);
                }
            }
        }));
        if (!call.equals("close device")) {
            await(entered);
        }
        DeviceSlot slot = bench.core.devices().slots().stream()
                .filter(each -> each.name().equals("d0"))
                .findFirst()
                .orElseThrow();

        Thread puller = bench.pullInBackground(device);
        if (fault == Fault.COMES_LATE) {
            await(() -> bench.core.monitor().snapshot().removals().stream()
                    .anyMatch(removal -> removal.elapsedMillis() > 0));
            go.countDown();
        }

        join(puller);
        if (fault == Fault.HANGS) {
            assertThat(slot.condition()).isEqualTo(DeviceSnapshot.Condition.ABANDONED);
            assertThat(device.closes).hasValue(0);
        } else {
            assertThat(slot.condition()).isNotEqualTo(DeviceSnapshot.Condition.ABANDONED);
            assertThat(device.live).hasValue(0);
        }
        CmId elsewhere = consumer.id(new Probe());
        run(() -> elsewhere.resolveAddress(new InetSocketAddress("192.0.2.2", 0), PEER, LONG));
        elsewhere.destroy();
        assertThat(other.violations).isEmpty();
        go.countDown();
        callers.forEach(Bench::join);
        Thread ender = background("ender", consumer::end);
        join(ender);
    }
}
