package org.verbena.rdma.provider.loopback.inspection;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.verbena.rdma.QueuePairConfiguration;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.cm.ConnectionParameters;
import org.verbena.rdma.provider.loopback.connection.LoopbackEndpoint;
import org.verbena.rdma.provider.loopback.fault.ObjectKind;
import org.verbena.rdma.provider.loopback.fault.ProviderCall;
import org.verbena.rdma.provider.loopback.fault.ViolationKind;
import org.verbena.rdma.spi.Endpoint;
import org.verbena.rdma.spi.ProviderQueuePair;
import org.verbena.rdma.spi.QueuePairResources;

/**
 * An endpoint under inspection. {@code calls} counts those inside, of which there may be one; the volatile field is
 * written by one call at a time.
 */
final class InspectedEndpoint implements Endpoint {
    private final LoopbackEndpoint endpoint;
    private final InspectedObject object;
    private final AtomicInteger calls = new AtomicInteger();
    private volatile InspectedQueuePair queuePair;

    InspectedEndpoint(LoopbackEndpoint endpoint, InspectedObject object) {
        this.endpoint = endpoint;
        this.object = object;
    }

    @FunctionalInterface
    private interface Action {
        void run() throws RdmaException;
    }

    @Override
    public InetSocketAddress localAddress() {
        object.enterToRead();
        try {
            return endpoint.localAddress();
        } finally {
            object.leave();
        }
    }

    @Override
    public InetSocketAddress peerAddress() {
        object.enterToRead();
        try {
            return endpoint.peerAddress();
        } finally {
            object.leave();
        }
    }

    @Override
    public void resolveRoute(Duration timeout) throws RdmaException {
        call(ProviderCall.RESOLVE_ROUTE, () -> {
            RdmaError outcome = outcomeOf(ProviderCall.RESOLVE_ROUTE);
            if (outcome == null) {
                endpoint.resolveRoute(timeout);
            } else {
                endpoint.failToResolveRoute(outcome);
            }
        });
    }

    @Override
    public ProviderQueuePair createQueuePair(QueuePairResources resources, QueuePairConfiguration configuration)
            throws RdmaException {
        call(ProviderCall.CREATE_QUEUE_PAIR, () -> {
            InspectedQueuePair present = queuePair;
            if (present != null && !present.object().isClosed()) {
                object.violated(
                        ViolationKind.SECOND_QUEUE_PAIR, ProviderCall.CREATE_QUEUE_PAIR, "it has " + present.object());
            }
            queuePair = create(InspectedResources.of(resources), configuration);
        });
        return queuePair;
    }

    @Override
    public void connect(ConnectionParameters parameters) throws RdmaException {
        call(ProviderCall.CONNECT, () -> {
            RdmaError outcome = outcomeOf(ProviderCall.CONNECT);
            if (outcome == null) {
                endpoint.connect(parameters);
            } else {
                endpoint.failToConnect(outcome);
            }
        });
    }

    @Override
    public void establish() throws RdmaException {
        call(ProviderCall.ESTABLISH, endpoint::establish);
    }

    @Override
    public void communicationEstablished() throws RdmaException {
        call(ProviderCall.COMMUNICATION_ESTABLISHED, endpoint::communicationEstablished);
    }

    @Override
    public void accept(ConnectionParameters parameters) throws RdmaException {
        call(ProviderCall.ACCEPT, () -> {
            RdmaError outcome = outcomeOf(ProviderCall.ACCEPT);
            if (outcome == null) {
                endpoint.accept(parameters);
            } else {
                endpoint.breakConnection(outcome);
            }
        });
    }

    @Override
    public void reject(ByteBuffer privateData) throws RdmaException {
        call(ProviderCall.REJECT, () -> endpoint.reject(privateData));
    }

    @Override
    public void disconnect() throws RdmaException {
        call(ProviderCall.DISCONNECT, endpoint::disconnect);
    }

    @Override
    public void close() {
        object.close(ProviderCall.CLOSE_ENDPOINT, endpoint::close);
    }

    private InspectedQueuePair create(InspectedResources resources, QueuePairConfiguration configuration)
            throws RdmaException {
        ProviderQueuePair made = endpoint.createQueuePair(resources.resources(), configuration);
        InspectedObject madeObject =
                new InspectedObject(object.inspection(), ObjectKind.QUEUE_PAIR, resources.parentsAnd(object));
        madeObject.checkParents(ProviderCall.CREATE_QUEUE_PAIR);
        return new InspectedQueuePair(made, madeObject);
    }

    private void call(ProviderCall call, Action action) throws RdmaException {
        if (calls.getAndIncrement() > 0) {
            object.violated(ViolationKind.CONCURRENT_CALLS, call, "");
        }
        try {
            object.enter(call);
            try {
                action.run();
            } finally {
                object.leave();
            }
        } finally {
            calls.decrementAndGet();
        }
    }

    private RdmaError outcomeOf(ProviderCall call) {
        return object.inspection().fault(call).nextOutcome();
    }
}
