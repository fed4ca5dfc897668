package org.verbena.rdma.provider.loopback.inspection;

import org.verbena.rdma.QueuePairState;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.provider.loopback.fault.ProviderCall;
import org.verbena.rdma.spi.CounterSink;
import org.verbena.rdma.spi.ProviderQueuePair;
import org.verbena.rdma.spi.ReceiveRequest;
import org.verbena.rdma.spi.SendRequest;

/** A queue pair under inspection. */
final class InspectedQueuePair implements ProviderQueuePair {
    private final ProviderQueuePair queuePair;
    private final InspectedObject object;

    InspectedQueuePair(ProviderQueuePair queuePair, InspectedObject object) {
        this.queuePair = queuePair;
        this.object = object;
    }

    @Override
    public int number() {
        object.enterToRead();
        try {
            return queuePair.number();
        } finally {
            object.leave();
        }
    }

    @Override
    public QueuePairState state() {
        object.enterToRead();
        try {
            return queuePair.state();
        } finally {
            object.leave();
        }
    }

    @Override
    public void postSend(SendRequest request) throws RdmaException {
        object.enter(ProviderCall.POST_SEND);
        try {
            PostedRequest.check(request, object, ProviderCall.POST_SEND);
            queuePair.postSend(request);
        } finally {
            object.leave();
        }
    }

    @Override
    public void postReceive(ReceiveRequest request) throws RdmaException {
        object.enter(ProviderCall.POST_RECEIVE);
        try {
            PostedRequest.check(request, object, ProviderCall.POST_RECEIVE);
            queuePair.postReceive(request);
        } finally {
            object.leave();
        }
    }

    @Override
    public boolean hasOutstandingWork() {
        object.enterToRead();
        try {
            return queuePair.hasOutstandingWork();
        } finally {
            object.leave();
        }
    }

    @Override
    public void readCounters(CounterSink sink) {
        object.enterToRead(ProviderCall.READ_COUNTERS);
        try {
            queuePair.readCounters(sink);
        } finally {
            object.leave();
        }
    }

    @Override
    public void fail() throws RdmaException {
        object.enter(ProviderCall.FAIL_QUEUE_PAIR);
        try {
            queuePair.fail();
        } finally {
            object.leave();
        }
    }

    @Override
    public void close() {
        object.close(ProviderCall.CLOSE_QUEUE_PAIR, queuePair::close);
    }

    InspectedObject object() {
        return object;
    }
}
