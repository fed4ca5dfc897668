package org.verbena.rdma.provider.loopback.verbs;

import java.util.concurrent.atomic.LongAdder;
import org.verbena.rdma.spi.CounterSink;

/** What is counted on a device in one period of use. Used by any number of threads. */
final class DeviceCounters {
    private final OperationCounters operations = new OperationCounters();
    private final LongAdder established = new LongAdder();

    OperationCounters operations() {
        return operations;
    }

    /** Counts a connection that has come to carry data. */
    void established() {
        established.increment();
    }

    /** Tells all. */
    void tell(CounterSink sink) {
        operations.tell(sink);
        sink.count("connections.established", established.sum());
    }
}
