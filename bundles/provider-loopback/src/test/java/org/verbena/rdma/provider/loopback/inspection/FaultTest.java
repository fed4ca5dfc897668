package org.verbena.rdma.provider.loopback.inspection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.verbena.rdma.Path;
import org.verbena.rdma.QueuePairState;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.provider.loopback.fake.Core;
import org.verbena.rdma.provider.loopback.fake.Events;
import org.verbena.rdma.provider.loopback.fake.Pair;
import org.verbena.rdma.provider.loopback.fake.Requests;
import org.verbena.rdma.provider.loopback.fake.Side;
import org.verbena.rdma.provider.loopback.fake.Work;
import org.verbena.rdma.provider.loopback.fault.DeviceFaults;
import org.verbena.rdma.provider.loopback.fault.Hold;
import org.verbena.rdma.provider.loopback.fault.ObjectKind;
import org.verbena.rdma.provider.loopback.fault.PostponedUpcalls;
import org.verbena.rdma.provider.loopback.fault.ProviderCall;
import org.verbena.rdma.provider.loopback.fault.ProviderUpcall;
import org.verbena.rdma.spi.Endpoint;
import org.verbena.rdma.spi.PathUpcalls;
import org.verbena.rdma.spi.ProviderDevice;
import org.verbena.rdma.spi.ProviderListener;

class FaultTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final RdmaException REFUSED = new RdmaException(RdmaError.NO_MEMORY, "on purpose");

    private final Core core = new Core();
    private final DeviceFaults faults = core.network().faults().device("one");
    private final Events events = new Events();
    private ProviderDevice one;
    private ProviderDevice two;

    @BeforeEach
    void addDevices() throws RdmaException {
        one = core.add("one", "198.18.0.1");
        two = core.add("two", "198.18.0.2");
    }

    private Pair connected() throws RdmaException {
        return Pair.connected(core, new Side(one), new Side(two), Core.parameters());
    }

    private Endpoint resolve() throws RdmaException {
        return core.resolve(one, Core.at(two), events);
    }

    @Test
    void holdsACallUntilItIsReleased() throws Exception {
        Hold hold = faults.hold(ProviderCall.CREATE_PROTECTION_DOMAIN);
        assertThat(hold.awaitArrival(Duration.ZERO)).isFalse();
        CountDownLatch done = new CountDownLatch(1);
        Thread caller = new Thread(() -> {
            try {
                one.createProtectionDomain();
                done.countDown();
            } catch (RdmaException e) {
                throw new AssertionError(e);
            }
        });
        caller.start();
        assertThat(hold.awaitArrival(LONG)).isTrue();
        assertThat(hold.held()).containsExactly(caller);
        assertThat(faults.inside()).isEqualTo(1);
        assertThat(faults.open(ObjectKind.PROTECTION_DOMAIN)).isZero();
        caller.interrupt();
        assertThat(done.getCount()).isEqualTo(1);
        hold.release();
        done.await();
        assertThat(hold.held()).isEmpty();
        assertThat(faults.open(ObjectKind.PROTECTION_DOMAIN)).isEqualTo(1);
        one.createProtectionDomain();
    }

    @Test
    void holdsTheNextCallOnly() throws Exception {
        Hold hold = faults.holdNext(ProviderCall.CREATE_PROTECTION_DOMAIN);
        CompletableFuture<Void> held = CompletableFuture.runAsync(this::createProtectionDomain);
        assertThat(hold.awaitArrival(LONG)).isTrue();
        one.createProtectionDomain();
        assertThat(held).isNotDone();
        hold.close();
        held.join();
    }

    private void createProtectionDomain() {
        try {
            one.createProtectionDomain();
        } catch (RdmaException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void clearReleasesAndForgets() throws Exception {
        Hold hold = faults.hold(ProviderCall.CREATE_PROTECTION_DOMAIN);
        faults.failNext(ProviderCall.LISTEN, REFUSED);
        faults.failAlways(ProviderCall.RESOLVE, REFUSED);
        faults.failOutcomeOfNext(ProviderCall.RESOLVE, RdmaError.TIMED_OUT);
        faults.suppress(ProviderUpcall.ADDRESS_RESOLVED);
        CompletableFuture<Void> held = CompletableFuture.runAsync(this::createProtectionDomain);
        assertThat(hold.awaitArrival(LONG)).isTrue();
        core.network().faults().clear();
        held.join();
        core.listen(one, new Requests());
        resolve();
        core.upcalls().runAll();
        assertThat(events.names()).singleElement().asString().startsWith("addressResolved");
    }

    @Test
    void failsTheNextCallsInOrder() throws Exception {
        faults.failNext(ProviderCall.CREATE_PROTECTION_DOMAIN, REFUSED);
        faults.failNext(ProviderCall.CREATE_PROTECTION_DOMAIN, new IllegalArgumentException("broken"));
        faults.failNext(ProviderCall.CREATE_PROTECTION_DOMAIN, new NoClassDefFoundError("lost"));
        assertThatThrownBy(one::createProtectionDomain).isSameAs(REFUSED);
        assertThatThrownBy(one::createProtectionDomain).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(one::createProtectionDomain).isInstanceOf(NoClassDefFoundError.class);
        assertThat(faults.open(ObjectKind.PROTECTION_DOMAIN)).isZero();
        assertThat(faults.inside()).isZero();
        one.createProtectionDomain();
        assertThat(faults.calls(ProviderCall.CREATE_PROTECTION_DOMAIN)).isEqualTo(4);
    }

    @Test
    void failsAlways() {
        faults.failAlways(ProviderCall.CREATE_COMPLETION_QUEUE, REFUSED);
        for (int count = 0; count < 3; count++) {
            assertThatThrownBy(() -> one.createCompletionQueue(1, () -> {})).isSameAs(REFUSED);
        }
    }

    @Test
    void failsAnOpenBeforeTheDeviceIsThere() throws Exception {
        core.network().faults().device("later").failNext(ProviderCall.OPEN, REFUSED);
        assertThatThrownBy(() -> core.add("later", "100::1")).isSameAs(REFUSED);
        ProviderDevice later = core.registry().devices().get(2);
        assertThat(core.network().faults().device("later").open()).isZero();
        later.open(core.deviceUpcalls());
        assertThat(core.network().faults().device("later").violations()).isEmpty();
    }

    @Test
    void aFailingCloseHasClosed() throws Exception {
        Pair pair = connected();
        faults.failNext(ProviderCall.CLOSE_QUEUE_PAIR, new IllegalStateException("broken"));
        assertThatThrownBy(pair.client().queuePair()::close).hasMessage("broken");
        assertThat(faults.open(ObjectKind.QUEUE_PAIR)).isZero();
        pair.client().endpoint().close();
        assertThat(faults.violations()).isEmpty();
    }

    @Test
    void refusesFaultsThatCannotBe() {
        assertThatThrownBy(() -> faults.failNext(ProviderCall.CLOSE, REFUSED))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> faults.failAlways(ProviderCall.CLOSE_ENDPOINT, REFUSED))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> faults.failNext(ProviderCall.READ, new IllegalStateException()))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> faults.duplicate(ProviderUpcall.REQUEST)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> faults.failOutcomeOfNext(ProviderCall.POLL, RdmaError.TIMED_OUT))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> core.network().faults().device("nobody").pullOut())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("nobody");
    }

    @Test
    void postFailsOnDemand() throws Exception {
        Pair pair = connected();
        faults.failNext(ProviderCall.POST_SEND, REFUSED);
        assertThatThrownBy(() -> pair.client().queuePair().postSend(Work.send(1)))
                .isSameAs(REFUSED);
        pair.client().queuePair().postSend(Work.send(2));
        assertThat(pair.client().sent()).isEmpty();
    }

    @Test
    void resolvingEndsWithAnError() throws Exception {
        faults.failOutcomeOfNext(ProviderCall.RESOLVE, RdmaError.TIMED_OUT);
        faults.failOutcomeOfNext(ProviderCall.RESOLVE_ROUTE, RdmaError.NETWORK_UNREACHABLE);
        resolve();
        Endpoint endpoint = resolve();
        endpoint.resolveRoute(LONG);
        endpoint.resolveRoute(LONG);
        core.upcalls().runAll();
        assertThat(events.names()).contains("addressError TIMED_OUT");
        assertThat(events.names()).endsWith("routeError NETWORK_UNREACHABLE", "routeResolved");
    }

    @Test
    void connectingEndsWithAnError() throws Exception {
        Requests requests = new Requests();
        core.listen(two, requests);
        faults.failOutcomeOfNext(ProviderCall.CONNECT, RdmaError.TIMED_OUT);
        faults.failOutcomeOfNext(ProviderCall.CONNECT, RdmaError.PROTOCOL);
        Side side = new Side(one).endpoint(resolve(), events);
        side.createQueuePair();
        side.endpoint().connect(Core.parameters());
        core.upcalls().runAll();
        assertThat(events.names()).last().isEqualTo("unreachable TIMED_OUT");
        assertThat(side.queuePair().state()).isEqualTo(QueuePairState.ERROR);
        side.endpoint().connect(Core.parameters());
        core.upcalls().runAll();
        assertThat(events.names()).last().isEqualTo("connectError PROTOCOL");
        assertThat(requests.count()).isZero();
    }

    @Test
    void acceptingEndsWithAnError() throws Exception {
        Requests requests = new Requests();
        core.listen(one, requests);
        core.resolve(two, Core.at(one), events).connect(Core.parameters());
        core.upcalls().runAll();
        faults.failOutcomeOfNext(ProviderCall.ACCEPT, RdmaError.INPUT_OUTPUT);
        Requests.Request request = requests.next();
        request.endpoint().accept(Core.parameters());
        core.upcalls().runAll();
        assertThat(request.events().names()).containsExactly("connectError INPUT_OUTPUT");
        assertThat(events.names()).last().isEqualTo("connectError CONNECTION_RESET");
    }

    @Test
    void aPathQueryEndsWithAnErrorOrNever() throws Exception {
        List<String> told = new ArrayList<>();
        PathUpcalls upcalls = new PathUpcalls() {
            @Override
            public void found(Path path) {
                told.add("found");
            }

            @Override
            public void failed(RdmaError error) {
                told.add("failed " + error);
            }
        };
        faults.failOutcomeOfNext(ProviderCall.QUERY_PATH, RdmaError.HOST_UNREACHABLE);
        one.queryPath(one.addresses().get(0), two.addresses().get(0), LONG, upcalls);
        core.upcalls().runAll();
        faults.suppress(ProviderUpcall.PATH_FOUND);
        one.queryPath(one.addresses().get(0), two.addresses().get(0), LONG, upcalls);
        core.pass(LONG);
        assertThat(told).containsExactly("failed HOST_UNREACHABLE");
    }

    @Test
    void makesUpcallsTwice() throws Exception {
        faults.duplicate(ProviderUpcall.ROUTE_RESOLVED);
        resolve().resolveRoute(LONG);
        core.upcalls().runAll();
        assertThat(events.names()).endsWith("routeResolved", "routeResolved").hasSize(3);
    }

    @Test
    void makesUpcallsLate() throws Exception {
        PostponedUpcalls postponed = faults.postpone(ProviderUpcall.ADDRESS_RESOLVED);
        Endpoint endpoint = resolve();
        core.upcalls().runAll();
        assertThat(events.names()).isEmpty();
        assertThat(postponed.await(1, Duration.ZERO)).isTrue();
        assertThat(postponed.await(2, Duration.ZERO)).isFalse();
        endpoint.close();
        assertThat(postponed.deliver()).isEqualTo(1);
        assertThat(events.names()).hasSize(1);
        assertThat(postponed.deliver()).isZero();
        postponed.end();
        resolve();
        core.upcalls().runAll();
        assertThat(events.names()).hasSize(2);
    }

    @Test
    void suppressedRequestsAreRefused() throws Exception {
        Requests requests = new Requests();
        core.listen(one, requests);
        faults.suppress(ProviderUpcall.REQUEST);
        core.resolve(two, Core.at(one), events).connect(Core.parameters());
        core.upcalls().runAll();
        assertThat(requests.count()).isZero();
        assertThat(events.names()).last().isEqualTo("rejected NO_RESOURCES");
        faults.upcallsAsUsual(ProviderUpcall.REQUEST);
        core.resolve(two, Core.at(one), events).connect(Core.parameters());
        core.upcalls().runAll();
        assertThat(requests.count()).isEqualTo(1);
    }

    @Test
    void aRequestThatComesLateIsServed() throws Exception {
        Requests requests = new Requests();
        core.listen(one, requests);
        PostponedUpcalls postponed = faults.postpone(ProviderUpcall.REQUEST);
        Endpoint endpoint = core.resolve(two, Core.at(one), events);
        endpoint.connect(Core.parameters());
        core.upcalls().runAll();
        assertThat(requests.count()).isZero();
        postponed.deliver();
        Requests.Request request = requests.next();
        endpoint.close();
        core.upcalls().runAll();
        assertThat(request.events().names()).containsExactly("connectError CONNECTION_RESET");
        request.endpoint().close();
        assertThat(faults.violations()).isEmpty();
    }

    @Test
    void aRequestOfAPeerThatHasGoneMeanwhileIsToldOfIt() throws Exception {
        Requests requests = new Requests();
        core.listen(one, requests);
        PostponedUpcalls postponed = faults.postpone(ProviderUpcall.REQUEST);
        Endpoint endpoint = core.resolve(two, Core.at(one), events);
        endpoint.connect(Core.parameters());
        core.upcalls().runAll();
        endpoint.close();
        core.upcalls().runAll();
        postponed.deliver();
        assertThat(requests.next().events().names()).containsExactly("connectError CONNECTION_RESET");
    }

    @Test
    void completionEventsCanBeLost() throws Exception {
        Pair pair = connected();
        faults.suppress(ProviderUpcall.COMPLETION_EVENT);
        pair.client().receives().requestNotification(false);
        pair.client().queuePair().postReceive(Work.receive(1));
        pair.server().queuePair().postSend(Work.send(2));
        core.upcalls().runAll();
        assertThat(pair.client().notifications()).isZero();
        assertThat(faults.upcallsInside()).isZero();
    }

    @Test
    void pullsADeviceOutAndPutsItBack() throws Exception {
        Pair pair = connected();
        CountDownLatch unregistering = new CountDownLatch(1);
        CountDownLatch closed = new CountDownLatch(1);
        core.registry().onUnregister(() -> {
            unregistering.countDown();
            try {
                closed.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        CompletionStage<Void> removal = faults.pullOut();
        unregistering.await();
        core.upcalls().runAll();
        assertThat(core.deviceEvents()).containsExactly("gone");
        assertThat(pair.client().events().names()).last().isEqualTo("disconnected CONNECTION_ABORTED");
        assertThat(pair.server().events().names()).last().isEqualTo("disconnected CONNECTION_RESET");
        assertThat(pair.client().queuePair().state()).isEqualTo(QueuePairState.ERROR);
        assertThatThrownBy(one::createProtectionDomain)
                .isInstanceOfSatisfying(
                        RdmaException.class, e -> assertThat(e.error()).isEqualTo(RdmaError.NO_DEVICE));
        assertThatThrownBy(this::resolve).isInstanceOf(RdmaException.class);
        assertThatThrownBy(faults::putBack)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("removal goes on");
        pair.client().close();
        one.close();
        assertThatThrownBy(() -> one.open(core.deviceUpcalls())).isInstanceOf(RdmaException.class);
        closed.countDown();
        removal.toCompletableFuture().join();
        assertThat(core.registry().devices()).containsExactly(two);

        faults.putBack();
        assertThat(core.registry().devices()).containsExactly(two, one);
        one.open(core.deviceUpcalls());
        one.createProtectionDomain();
        assertThat(faults.violations()).isEmpty();
    }

    @Test
    void changesAddressesAndTells() throws Exception {
        faults.changeAddresses(List.of(Core.address("198.18.0.5"), Core.address("100::5")));
        core.upcalls().runAll();
        assertThat(core.deviceEvents()).containsExactly("addressesChanged");
        assertThat(one.addresses()).containsExactly(Core.address("198.18.0.5"), Core.address("100::5"));
        resolve().connect(Core.parameters());
        core.upcalls().runAll();
        assertThat(events.names()).last().isEqualTo("rejected NO_LISTENER");
    }

    @Test
    void tellsEndpointsOfAnotherNetwork() throws Exception {
        Pair pair = connected();
        faults.changeNetwork();
        core.upcalls().runAll();
        assertThat(pair.client().events().names()).last().isEqualTo("addressChanged");
        assertThat(pair.server().events().names()).last().isEqualTo("established");
    }

    @Test
    void tellsItsListenersOfAnotherNetwork() throws Exception {
        Requests own = new Requests();
        Requests others = new Requests();
        ProviderListener listener = core.listen(one, own);
        core.listen(two, others);
        faults.changeNetwork();
        core.upcalls().runAll();
        assertThat(own.addressChanges()).isEqualTo(1);
        assertThat(others.addressChanges()).isZero();
        listener.close();
        faults.changeNetwork();
        core.upcalls().runAll();
        assertThat(own.addressChanges()).as("none after close").isEqualTo(1);
    }

    @Test
    void aListenersChangeIsToldNeverTwiceOrLate() throws Exception {
        Requests requests = new Requests();
        core.listen(one, requests);
        faults.suppress(ProviderUpcall.LISTENER_ADDRESS_CHANGED);
        faults.changeNetwork();
        core.upcalls().runAll();
        assertThat(requests.addressChanges()).isZero();
        faults.duplicate(ProviderUpcall.LISTENER_ADDRESS_CHANGED);
        faults.changeNetwork();
        core.upcalls().runAll();
        assertThat(requests.addressChanges()).isEqualTo(2);
        PostponedUpcalls postponed = faults.postpone(ProviderUpcall.LISTENER_ADDRESS_CHANGED);
        faults.changeNetwork();
        core.upcalls().runAll();
        assertThat(requests.addressChanges()).isEqualTo(2);
        assertThat(postponed.deliver()).isEqualTo(1);
        assertThat(requests.addressChanges()).isEqualTo(3);
        postponed.end();
    }

    @Test
    void breaksConnections() throws Exception {
        Pair pair = connected();
        faults.breakConnections(RdmaError.TIMED_OUT);
        core.upcalls().runAll();
        assertThat(pair.client().events().names()).last().isEqualTo("disconnected TIMED_OUT");
        assertThat(pair.server().events().names()).last().isEqualTo("disconnected CONNECTION_RESET");
    }

    @ParameterizedTest
    @EnumSource(ProviderCall.class)
    void anyCallCanBeHeldAndClearedWithoutEffectOnOthers(ProviderCall call) {
        Hold hold = faults.hold(call);
        hold.release();
        assertThatCode(() -> connected().client().close()).doesNotThrowAnyException();
    }
}
