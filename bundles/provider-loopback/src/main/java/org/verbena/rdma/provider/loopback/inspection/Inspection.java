package org.verbena.rdma.provider.loopback.inspection;

import java.net.InetAddress;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.verbena.rdma.LinkState;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.provider.loopback.fault.DeviceFaults;
import org.verbena.rdma.provider.loopback.fault.Hold;
import org.verbena.rdma.provider.loopback.fault.ObjectKind;
import org.verbena.rdma.provider.loopback.fault.PostponedUpcalls;
import org.verbena.rdma.provider.loopback.fault.ProviderCall;
import org.verbena.rdma.provider.loopback.fault.ProviderUpcall;
import org.verbena.rdma.provider.loopback.fault.Violation;

/**
 * Faults and account of the devices that have one name. The reference is to what controls the device that has
 * the name now.
 */
public final class Inspection implements DeviceFaults {
    private static final Set<ProviderCall> CLOSES = EnumSet.of(
            ProviderCall.CLOSE,
            ProviderCall.CLOSE_PROTECTION_DOMAIN,
            ProviderCall.CLOSE_MEMORY_REGION,
            ProviderCall.CLOSE_SHARED_RECEIVE_QUEUE,
            ProviderCall.CLOSE_COMPLETION_QUEUE,
            ProviderCall.CLOSE_QUEUE_PAIR,
            ProviderCall.CLOSE_LISTENER,
            ProviderCall.CLOSE_PATH_QUERY,
            ProviderCall.CLOSE_ENDPOINT);
    private static final Set<ProviderCall> WITH_OUTCOME = EnumSet.of(
            ProviderCall.RESOLVE,
            ProviderCall.RESOLVE_ROUTE,
            ProviderCall.CONNECT,
            ProviderCall.ACCEPT,
            ProviderCall.QUERY_PATH);

    private final String name;
    private final Account account = new Account();
    private final CallFaults calls = new CallFaults();
    private final UpcallFaults upcalls = new UpcallFaults(account);
    private final AtomicReference<DeviceControls> controls = new AtomicReference<>();

    /**
     * Makes it.
     *
     * @param name the name of the device
     */
    public Inspection(String name) {
        this.name = name;
    }

    /**
     * A device of this name has come.
     *
     * @param device what can be done to it
     */
    public void attach(DeviceControls device) {
        controls.set(device);
    }

    /**
     * A device of this name is not there any more.
     *
     * @param device what could be done to it
     */
    public void detach(DeviceControls device) {
        controls.compareAndSet(device, null);
    }

    Account account() {
        return account;
    }

    CallFault fault(ProviderCall call) {
        return calls.of(call);
    }

    UpcallFaults upcalls() {
        return upcalls;
    }

    String name() {
        return name;
    }

    @Override
    public Hold hold(ProviderCall call) {
        return calls.of(call).hold(Integer.MAX_VALUE);
    }

    @Override
    public Hold holdNext(ProviderCall call) {
        return calls.of(call).hold(1);
    }

    @Override
    public void failNext(ProviderCall call, RdmaException failure) {
        checkCanThrow(call, true);
        calls.of(call).failNext(failure);
    }

    @Override
    public void failNext(ProviderCall call, RuntimeException failure) {
        checkCanThrow(call, false);
        calls.of(call).failNext(failure);
    }

    @Override
    public void failNext(ProviderCall call, Error failure) {
        checkCanThrow(call, false);
        calls.of(call).failNext(failure);
    }

    @Override
    public void failAlways(ProviderCall call, RdmaException failure) {
        checkCanThrow(call, true);
        calls.of(call).failAlways(failure);
    }

    @Override
    public void failOutcomeOfNext(ProviderCall call, RdmaError error) {
        if (!WITH_OUTCOME.contains(call)) {
            throw new IllegalArgumentException(call + " has no outcome, only " + WITH_OUTCOME + " have");
        }
        calls.of(call).failOutcomeOfNext(error);
    }

    @Override
    public void suppress(ProviderUpcall upcall) {
        upcalls.suppress(upcall);
    }

    @Override
    public void duplicate(ProviderUpcall upcall) {
        if (upcall == ProviderUpcall.REQUEST) {
            throw new IllegalArgumentException("a request cannot be made twice: each has an endpoint of its own");
        }
        upcalls.duplicate(upcall);
    }

    @Override
    public PostponedUpcalls postpone(ProviderUpcall upcall) {
        return upcalls.postpone(upcall);
    }

    @Override
    public void upcallsAsUsual(ProviderUpcall upcall) {
        upcalls.asUsual(upcall);
    }

    @Override
    public CompletionStage<Void> pullOut() {
        DeviceControls device = present();
        device.vanish();
        CompletableFuture<Void> unregistered = new CompletableFuture<>();
        Thread thread = new Thread(
                () -> {
                    try {
                        device.unplug();
                        unregistered.complete(null);
                    } catch (RuntimeException | Error failure) {
                        unregistered.completeExceptionally(failure);
                    }
                },
                "verbena-loopback-pull-out-" + name);
        thread.setDaemon(true);
        thread.start();
        return unregistered;
    }

    @Override
    public void vanish() {
        present().vanish();
    }

    @Override
    public void putBack() {
        present().plug();
    }

    @Override
    public void changeAddresses(List<InetAddress> addresses) {
        present().changeAddresses(addresses);
    }

    @Override
    public void changeLink(LinkState state) {
        present().changeLink(state);
    }

    @Override
    public void changeNetwork() {
        present().changeNetwork();
    }

    @Override
    public void breakConnections(RdmaError error) {
        present().breakConnections(error);
    }

    @Override
    public int open(ObjectKind kind) {
        return account.open(kind);
    }

    @Override
    public int open() {
        return account.open();
    }

    @Override
    public long calls(ProviderCall call) {
        return account.calls(call);
    }

    @Override
    public int inside() {
        return account.inside();
    }

    @Override
    public int upcallsInside() {
        return account.upcallsInside();
    }

    @Override
    public List<Violation> violations() {
        return account.violations();
    }

    @Override
    public void clear() {
        upcalls.clear();
        calls.clear();
    }

    private DeviceControls present() {
        DeviceControls device = controls.get();
        if (device == null) {
            throw new IllegalStateException("there is no loopback device " + name);
        }
        return device;
    }

    private static void checkCanThrow(ProviderCall call, boolean checked) {
        if (call == ProviderCall.READ || call == ProviderCall.READ_COUNTERS || checked && CLOSES.contains(call)) {
            throw new IllegalArgumentException(call + " cannot throw that");
        }
    }
}
