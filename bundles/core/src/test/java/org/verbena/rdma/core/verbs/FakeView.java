package org.verbena.rdma.core.verbs;

import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import org.verbena.rdma.CompletionChannel;
import org.verbena.rdma.CompletionQueue;
import org.verbena.rdma.DeviceAttributes;
import org.verbena.rdma.LinkState;
import org.verbena.rdma.PathQuery;
import org.verbena.rdma.ProtectionDomain;
import org.verbena.rdma.RdmaDevice;

/** A device as a consumer sees it, of which only the identity matters. */
final class FakeView implements RdmaDevice {
    @Override
    public String name() {
        return "fake0";
    }

    @Override
    public DeviceAttributes attributes() {
        throw new UnsupportedOperationException("not used");
    }

    @Override
    public List<InetAddress> addresses() {
        throw new UnsupportedOperationException("not used");
    }

    @Override
    public LinkState linkState() {
        throw new UnsupportedOperationException("not used");
    }

    @Override
    public ProtectionDomain createProtectionDomain() {
        throw new UnsupportedOperationException("not used");
    }

    @Override
    public CompletionChannel createCompletionChannel() {
        throw new UnsupportedOperationException("not used");
    }

    @Override
    public CompletionQueue createCompletionQueue(int entries, CompletionChannel channel) {
        throw new UnsupportedOperationException("not used");
    }

    @Override
    public PathQuery queryPath(InetAddress source, InetAddress destination, Duration timeout) {
        throw new UnsupportedOperationException("not used");
    }
}
