package org.verbena.rdma.provider.loopback.inspection;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.verbena.rdma.DeviceAttributes;
import org.verbena.rdma.LinkState;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.cm.PortSpace;
import org.verbena.rdma.provider.loopback.connection.LoopbackEndpoint;
import org.verbena.rdma.provider.loopback.fault.ObjectKind;
import org.verbena.rdma.provider.loopback.fault.ProviderCall;
import org.verbena.rdma.provider.loopback.fault.ProviderUpcall;
import org.verbena.rdma.provider.loopback.fault.ViolationKind;
import org.verbena.rdma.provider.loopback.verbs.LoopbackProtectionDomain;
import org.verbena.rdma.spi.CompletionUpcalls;
import org.verbena.rdma.spi.CounterSink;
import org.verbena.rdma.spi.DeviceUpcalls;
import org.verbena.rdma.spi.Endpoint;
import org.verbena.rdma.spi.EndpointOptions;
import org.verbena.rdma.spi.EndpointUpcalls;
import org.verbena.rdma.spi.ListenerUpcalls;
import org.verbena.rdma.spi.PathUpcalls;
import org.verbena.rdma.spi.ProviderCompletionQueue;
import org.verbena.rdma.spi.ProviderDevice;
import org.verbena.rdma.spi.ProviderListener;
import org.verbena.rdma.spi.ProviderPathQuery;
import org.verbena.rdma.spi.ProviderProtectionDomain;

/**
 * A device under inspection: keeps the account, finds broken rules, and lets faults happen. The reference is to the
 * present period of use, or to {@code null}.
 */
public final class InspectedDevice implements ProviderDevice {
    private final ProviderDevice device;
    private final Inspection inspection;
    private final AtomicReference<InspectedObject> period = new AtomicReference<>();

    /**
     * Puts a device under inspection.
     *
     * @param device the device
     * @param inspection the account and the faults
     */
    public InspectedDevice(ProviderDevice device, Inspection inspection) {
        this.device = device;
        this.inspection = inspection;
    }

    @Override
    public String name() {
        return device.name();
    }

    @Override
    public DeviceAttributes attributes() {
        return device.attributes();
    }

    @Override
    public List<InetAddress> addresses() {
        return device.addresses();
    }

    @Override
    public LinkState linkState() {
        return device.linkState();
    }

    @Override
    public boolean reaches(InetAddress destination) {
        return device.reaches(destination);
    }

    @Override
    public void readCounters(CounterSink sink) {
        InspectedObject present = period.get();
        if (present == null) {
            inspection.account().violated(ViolationKind.NOT_OPEN, ProviderCall.READ_COUNTERS, name(), "");
            throw new IllegalStateException("device " + name() + " is not open");
        }
        present.enterToRead(ProviderCall.READ_COUNTERS);
        try {
            device.readCounters(sink);
        } finally {
            present.leave();
        }
    }

    @Override
    public void open(DeviceUpcalls upcalls) throws RdmaException {
        Account account = inspection.account();
        account.callBegun(ProviderCall.OPEN);
        try {
            InspectedObject present = period.get();
            if (present != null) {
                present.violated(ViolationKind.OPENED_TWICE, ProviderCall.OPEN, "");
                throw new IllegalStateException(present + " is open already");
            }
            CallFault fault = inspection.fault(ProviderCall.OPEN);
            fault.waitForRelease();
            fault.strike();
            device.open(new InspectedDeviceUpcalls(upcalls, inspection.upcalls()));
            period.set(new InspectedObject(inspection, ObjectKind.DEVICE));
        } finally {
            account.callEnded();
        }
    }

    @Override
    public void close() {
        InspectedObject present = period.get();
        if (present == null) {
            inspection.account().violated(ViolationKind.CLOSED_TWICE, ProviderCall.CLOSE, name(), "it is not open");
            return;
        }
        present.close(ProviderCall.CLOSE, () -> {
            // Before the device itself: as soon as that is closed it may be opened again.
            period.compareAndSet(present, null);
            device.close();
        });
    }

    @Override
    public ProviderProtectionDomain createProtectionDomain() throws RdmaException {
        InspectedObject present = enter(ProviderCall.CREATE_PROTECTION_DOMAIN);
        try {
            return new InspectedProtectionDomain(
                    (LoopbackProtectionDomain) device.createProtectionDomain(),
                    new InspectedObject(inspection, ObjectKind.PROTECTION_DOMAIN, present));
        } finally {
            present.leave();
        }
    }

    @Override
    public ProviderCompletionQueue createCompletionQueue(int entries, CompletionUpcalls upcalls) throws RdmaException {
        InspectedObject present = enter(ProviderCall.CREATE_COMPLETION_QUEUE);
        try {
            Runnable event = upcalls::completionEvent;
            return new InspectedCompletionQueue(
                    device.createCompletionQueue(
                            entries, () -> inspection.upcalls().raise(ProviderUpcall.COMPLETION_EVENT, event)),
                    new InspectedObject(inspection, ObjectKind.COMPLETION_QUEUE, present));
        } finally {
            present.leave();
        }
    }

    @Override
    public ProviderListener listen(
            PortSpace portSpace, InetSocketAddress local, int backlog, EndpointOptions options, ListenerUpcalls upcalls)
            throws RdmaException {
        InspectedObject present = enter(ProviderCall.LISTEN);
        InspectedObject object = new InspectedObject(inspection, ObjectKind.LISTENER, present);
        ProviderListener made = null;
        try {
            made = device.listen(
                    portSpace, local, backlog, options, new InspectedListenerUpcalls(upcalls, present, object));
            return new InspectedListener(made, object);
        } finally {
            dismissUnless(made != null, object);
            present.leave();
        }
    }

    @Override
    public Endpoint resolve(
            PortSpace portSpace,
            InetSocketAddress source,
            InetSocketAddress destination,
            Duration timeout,
            EndpointOptions options,
            EndpointUpcalls upcalls)
            throws RdmaException {
        InspectedObject present = enter(ProviderCall.RESOLVE);
        try {
            InspectedEndpointUpcalls inspected = new InspectedEndpointUpcalls(
                    upcalls,
                    inspection.upcalls(),
                    inspection.fault(ProviderCall.RESOLVE).nextOutcome());
            return new InspectedEndpoint(
                    (LoopbackEndpoint) device.resolve(portSpace, source, destination, timeout, options, inspected),
                    new InspectedObject(inspection, ObjectKind.ENDPOINT, present));
        } finally {
            present.leave();
        }
    }

    @Override
    public ProviderPathQuery queryPath(
            InetAddress source, InetAddress destination, Duration timeout, PathUpcalls upcalls) throws RdmaException {
        InspectedObject present = enter(ProviderCall.QUERY_PATH);
        try {
            InspectedPathUpcalls inspected = new InspectedPathUpcalls(
                    upcalls,
                    inspection.upcalls(),
                    inspection.fault(ProviderCall.QUERY_PATH).nextOutcome());
            return new InspectedPathQuery(
                    device.queryPath(source, destination, timeout, inspected),
                    new InspectedObject(inspection, ObjectKind.PATH_QUERY, present));
        } finally {
            present.leave();
        }
    }

    private InspectedObject enter(ProviderCall call) throws RdmaException {
        InspectedObject present = period.get();
        if (present == null) {
            inspection.account().violated(ViolationKind.NOT_OPEN, call, name(), "");
            throw new IllegalStateException("device " + name() + " is not open");
        }
        present.enter(call);
        return present;
    }

    private static void dismissUnless(boolean made, InspectedObject object) {
        if (!made) {
            object.dismiss();
        }
    }
}
