package org.verbena.rdma.core.cm;

import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.verbena.rdma.CompletionChannel;
import org.verbena.rdma.CompletionQueue;
import org.verbena.rdma.DeviceAttributes;
import org.verbena.rdma.LinkState;
import org.verbena.rdma.PathQuery;
import org.verbena.rdma.ProtectionDomain;
import org.verbena.rdma.RdmaDevice;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.core.address.AddressKey;
import org.verbena.rdma.core.device.Device;
import org.verbena.rdma.core.session.Session;

/**
 * A device as one session sees it: what is made through it ends with the session.
 *
 * @param session whose view it is
 * @param core the device
 */
public record SessionDevice(Session session, Device core) implements RdmaDevice {
    @Override
    public String name() {
        return core.name();
    }

    @Override
    public DeviceAttributes attributes() {
        return core.attributes();
    }

    @Override
    public List<InetAddress> addresses() {
        return core.addresses();
    }

    @Override
    public LinkState linkState() {
        return core.link();
    }

    /** A device that is going is the better reason: that it goes may be what has ended the session. */
    private void ensureUsable() throws RdmaException {
        core.requireNotMarked();
        session.ensureOpen();
    }

    @Override
    public ProtectionDomain createProtectionDomain() throws RdmaException {
        ensureUsable();
        return core.verbs().createProtectionDomain(session, this);
    }

    @Override
    public CompletionChannel createCompletionChannel() throws RdmaException {
        ensureUsable();
        return core.verbs().createCompletionChannel(session, this);
    }

    @Override
    public CompletionQueue createCompletionQueue(int entries, CompletionChannel channel) throws RdmaException {
        ensureUsable();
        return core.verbs().createCompletionQueue(session, this, entries, channel);
    }

    @Override
    public PathQuery queryPath(InetAddress source, InetAddress destination, Duration timeout) throws RdmaException {
        ensureUsable();
        Objects.requireNonNull(source, "source");
        Objects.requireNonNull(destination, "destination");
        ParameterRules.requirePositive(timeout);
        AddressKey.requireScope(source);
        AddressKey.requireScope(destination);
        AddressKey wanted = AddressKey.of(source);
        if (core.addresses().stream().map(AddressKey::of).noneMatch(wanted::equals)) {
            throw new RdmaException(
                    RdmaError.ADDRESS_NOT_AVAILABLE,
                    "device " + core.name() + " has no address " + source.getHostAddress() + " but "
                            + core.addresses());
        }
        return core.queries().begin(session, source, destination, timeout);
    }

    @Override
    public String toString() {
        return core.name();
    }
}
