package org.verbena.rdma.provider.loopback.inspection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.verbena.rdma.Access;
import org.verbena.rdma.Path;
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
import org.verbena.rdma.provider.loopback.fault.Violation;
import org.verbena.rdma.provider.loopback.fault.ViolationKind;
import org.verbena.rdma.spi.PathUpcalls;
import org.verbena.rdma.spi.ProviderDevice;
import org.verbena.rdma.spi.ProviderListener;
import org.verbena.rdma.spi.ProviderMemoryRegion;
import org.verbena.rdma.spi.ProviderPathQuery;
import org.verbena.rdma.spi.ProviderProtectionDomain;

class ViolationTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    private final Pair pair = connected();
    private final Core core = pair.core();
    private final Side client = pair.client();
    private final ProviderDevice device = client.device();
    private final DeviceFaults faults = core.network().faults().device("client");

    private static Pair connected() {
        try {
            return Pair.connected();
        } catch (RdmaException e) {
            throw new AssertionError(e);
        }
    }

    private void assertViolations(ViolationKind... kinds) {
        assertThat(faults.violations()).extracting(Violation::kind).containsExactly(kinds);
        assertThat(core.network().faults().violations()).hasSameSizeAs(faults.violations());
    }

    private Violation only() {
        assertThat(faults.violations()).hasSize(1);
        return faults.violations().get(0);
    }

    @Test
    void goodOrderIsNoViolation() throws Exception {
        client.queuePair().postReceive(Work.receive(1).segment(client.region(), 0, 8));
        client.queuePair().postSend(Work.send(2).segment(client.region(), 0, 8));
        client.sent();
        client.endpoint().disconnect();
        core.upcalls().runAll();
        pair.listener().close();
        client.close();
        pair.server().close();
        device.close();
        pair.server().device().close();
        assertThat(core.network().faults().violations()).isEmpty();
        for (ObjectKind kind : ObjectKind.values()) {
            assertThat(faults.open(kind)).as(kind.name()).isZero();
        }
        assertThat(core.network().faults().device("server").open()).isZero();
        assertThat(faults.inside()).isZero();
        assertThat(faults.calls(ProviderCall.POST_SEND)).isEqualTo(1);
        assertThat(faults.calls(ProviderCall.CLOSE)).isEqualTo(1);

        device.open(core.deviceUpcalls());
        device.close();
        assertThat(faults.violations()).isEmpty();
    }

    @Test
    void countsWhatIsOpen() {
        assertThat(faults.open(ObjectKind.DEVICE)).isEqualTo(1);
        assertThat(faults.open(ObjectKind.PROTECTION_DOMAIN)).isEqualTo(1);
        assertThat(faults.open(ObjectKind.MEMORY_REGION)).isEqualTo(1);
        assertThat(faults.open(ObjectKind.COMPLETION_QUEUE)).isEqualTo(2);
        assertThat(faults.open(ObjectKind.ENDPOINT)).isEqualTo(1);
        assertThat(faults.open(ObjectKind.QUEUE_PAIR)).isEqualTo(1);
        assertThat(faults.open()).isEqualTo(7);
        assertThat(core.network().faults().device("server").open(ObjectKind.LISTENER))
                .isEqualTo(1);
    }

    @Test
    void aCallAfterCloseIsSeenAndRefused() {
        client.queuePair().close();
        assertThatThrownBy(() -> client.queuePair().postSend(Work.send(1)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("is closed");
        assertThatThrownBy(() -> client.queuePair().state()).isInstanceOf(IllegalStateException.class);
        assertViolations(ViolationKind.CALL_AFTER_CLOSE, ViolationKind.CALL_AFTER_CLOSE);
        Violation first = faults.violations().get(0);
        assertThat(first.call()).isEqualTo(ProviderCall.POST_SEND);
        assertThat(first.object()).startsWith("QUEUE_PAIR#").endsWith(" of client");
        assertThat(first.toString()).contains("POST_SEND").contains("ViolationTest");
        assertThat(faults.inside()).isZero();
    }

    @Test
    void aCallDuringACloseIsSeen() throws Exception {
        Hold hold = faults.hold(ProviderCall.CLOSE_QUEUE_PAIR);
        CompletableFuture<Void> closing = CompletableFuture.runAsync(client.queuePair()::close);
        assertThat(hold.awaitArrival(LONG)).isTrue();
        assertThatThrownBy(() -> client.queuePair().postReceive(Work.receive(1)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("is being closed");
        hold.release();
        closing.join();
        assertViolations(ViolationKind.CALL_DURING_CLOSE);
    }

    @Test
    void aCloseDuringACallIsSeen() throws Exception {
        Hold hold = faults.hold(ProviderCall.POLL);
        CompletableFuture<List<String>> polling = CompletableFuture.supplyAsync(() -> {
            try {
                return client.sent();
            } catch (RdmaException e) {
                throw new AssertionError(e);
            }
        });
        assertThat(hold.awaitArrival(LONG)).isTrue();
        assertThat(faults.inside()).isEqualTo(1);
        client.queuePair().close();
        client.sends().close();
        hold.release();
        polling.join();
        assertViolations(ViolationKind.CALL_DURING_CLOSE);
        assertThat(only().call()).isEqualTo(ProviderCall.CLOSE_COMPLETION_QUEUE);
        assertThat(only().detail()).isEqualTo("1 calls inside");
    }

    @Test
    void aSecondCloseIsSeen() {
        client.queuePair().close();
        client.queuePair().close();
        assertViolations(ViolationKind.CLOSED_TWICE);
        assertThat(faults.open(ObjectKind.QUEUE_PAIR)).isZero();
    }

    @Test
    void aSecondCloseOfTheDeviceIsSeen() throws Exception {
        ProviderDevice alone = core.add("alone", "100::9");
        alone.close();
        alone.close();
        assertThat(core.network().faults().device("alone").violations())
                .extracting(Violation::kind)
                .containsExactly(ViolationKind.CLOSED_TWICE);
    }

    @Test
    void aParentThatIsClosedBeforeItsChildrenIsSeen() {
        client.domain().close();
        assertThat(only().kind()).isEqualTo(ViolationKind.CLOSED_BEFORE_CHILD);
        assertThat(only().call()).isEqualTo(ProviderCall.CLOSE_PROTECTION_DOMAIN);
        assertThat(only().detail()).contains("QUEUE_PAIR#").contains("MEMORY_REGION#");
    }

    @Test
    void eachParentOfAQueuePairCounts() {
        client.sends().close();
        client.receives().close();
        client.endpoint().close();
        assertViolations(
                ViolationKind.CLOSED_BEFORE_CHILD,
                ViolationKind.CLOSED_BEFORE_CHILD,
                ViolationKind.CLOSED_BEFORE_CHILD);
    }

    @Test
    void aDeviceThatIsClosedBeforeItsObjectsIsSeen() {
        device.close();
        assertThat(only().kind()).isEqualTo(ViolationKind.CLOSED_BEFORE_CHILD);
        assertThat(only().detail()).contains("ENDPOINT#").contains("COMPLETION_QUEUE#");
    }

    @Test
    void aSecondOpenIsSeen() {
        assertThatThrownBy(() -> device.open(core.deviceUpcalls())).isInstanceOf(IllegalStateException.class);
        assertViolations(ViolationKind.OPENED_TWICE);
    }

    @Test
    void callsOnADeviceThatIsNotOpenAreSeen() throws Exception {
        ProviderDevice alone = core.add("alone", "100::9");
        alone.close();
        assertThatThrownBy(alone::createProtectionDomain).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> core.listen(alone, new Requests())).isInstanceOf(IllegalStateException.class);
        assertThat(core.network().faults().device("alone").violations())
                .extracting(Violation::kind)
                .containsExactly(ViolationKind.NOT_OPEN, ViolationKind.NOT_OPEN);
        assertThat(alone.addresses()).hasSize(1);
        assertThat(alone.name()).isEqualTo("alone");
    }

    @Test
    void twoCallsAtATimeOnAnEndpointAreSeen() throws Exception {
        Hold hold = faults.holdNext(ProviderCall.DISCONNECT);
        CompletableFuture<Void> disconnecting = CompletableFuture.runAsync(() -> {
            try {
                client.endpoint().disconnect();
            } catch (RdmaException e) {
                throw new AssertionError(e);
            }
        });
        assertThat(hold.awaitArrival(LONG)).isTrue();
        assertThat(client.endpoint().localAddress()).as("reading is allowed").isNotNull();
        assertThat(faults.violations()).isEmpty();
        client.endpoint().disconnect();
        hold.release();
        disconnecting.join();
        assertViolations(ViolationKind.CONCURRENT_CALLS);
    }

    @Test
    void severalThreadsMayPost() throws Exception {
        Hold hold = faults.hold(ProviderCall.POST_RECEIVE);
        CompletableFuture<Void> first = CompletableFuture.runAsync(this::postReceive);
        CompletableFuture<Void> second = CompletableFuture.runAsync(this::postReceive);
        assertThat(hold.awaitArrivals(2, LONG)).isTrue();
        assertThat(faults.inside()).isEqualTo(2);
        hold.release();
        first.join();
        second.join();
        assertThat(faults.violations()).isEmpty();
    }

    private void postReceive() {
        try {
            client.queuePair().postReceive(Work.receive(1));
        } catch (RdmaException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aSecondQueuePairIsSeen() {
        assertThatThrownBy(client::createQueuePair).isInstanceOf(RdmaException.class);
        assertViolations(ViolationKind.SECOND_QUEUE_PAIR);
    }

    @Test
    void aClosedRegionInARequestIsSeen() throws Exception {
        ProviderMemoryRegion region = client.register(ByteBuffer.allocateDirect(8), EnumSet.allOf(Access.class));
        region.close();
        client.queuePair().postReceive(Work.receive(1).segment(region, 0, 8));
        client.queuePair().postSend(Work.send(2).segment(region, 0, 8));
        assertViolations(ViolationKind.CLOSED_OBJECT_USED, ViolationKind.CLOSED_OBJECT_USED);
        assertThat(client.sent()).containsExactly("2 LOCAL_PROTECTION_ERROR SEND");
    }

    @Test
    void aQueuePairMadeOfSomethingClosedIsSeen() throws Exception {
        Side other = new Side(device);
        Events events = new Events();
        other.endpoint(core.resolve(device, Core.at(device), events), events);
        other.sends().close();
        other.createQueuePair();
        assertViolations(ViolationKind.CLOSED_OBJECT_USED);
        assertThat(only().detail()).contains("COMPLETION_QUEUE#");
    }

    @Test
    void aLateRequestThatIsTakenIsSeen() throws Exception {
        Requests requests = new Requests();
        ProviderListener listener = core.listen(device, requests);
        PostponedUpcalls late = faults.postpone(ProviderUpcall.REQUEST);
        Events events = new Events();
        core.resolve(pair.server().device(), Core.at(device), events).connect(Core.parameters());
        core.upcalls().runAll();
        listener.close();
        late.deliver();
        assertViolations(ViolationKind.LATE_REQUEST_TAKEN);
    }

    @Test
    void aLateRequestThatIsRefusedIsNone() throws Exception {
        Requests requests = new Requests();
        requests.takes(false);
        ProviderListener listener = core.listen(device, requests);
        PostponedUpcalls late = faults.postpone(ProviderUpcall.REQUEST);
        Events events = new Events();
        core.resolve(pair.server().device(), Core.at(device), events).connect(Core.parameters());
        core.upcalls().runAll();
        assertThat(late.count()).isEqualTo(1);
        listener.close();
        client.close();
        device.close();
        assertThat(late.deliver()).isEqualTo(1);
        core.upcalls().runAll();
        assertThat(requests.count()).isEqualTo(1);
        assertThat(events.names()).last().isEqualTo("rejected CONSUMER");
        assertThat(faults.violations()).isEmpty();
        assertThat(faults.open()).isZero();
    }

    @Test
    void aPathQueryHasToBeClosedOnce() throws Exception {
        ProviderPathQuery query = device.queryPath(
                device.addresses().get(0), Core.address("198.18.0.2"), Duration.ofSeconds(1), new PathUpcalls() {
                    @Override
                    public void found(Path path) {}

                    @Override
                    public void failed(RdmaError error) {}
                });
        core.upcalls().runAll();
        assertThat(faults.open(ObjectKind.PATH_QUERY)).isEqualTo(1);
        query.close();
        query.close();
        assertViolations(ViolationKind.CLOSED_TWICE);
    }

    @Test
    void domainsAndSharedQueuesCountToo() throws Exception {
        ProviderProtectionDomain domain = device.createProtectionDomain();
        domain.createSharedReceiveQueue(1, 1);
        domain.close();
        assertThat(only().detail()).contains("SHARED_RECEIVE_QUEUE#");
    }
}
