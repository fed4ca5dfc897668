package org.verbena.rdma.provider.loopback.verbs;

import java.util.concurrent.atomic.LongAdder;
import org.verbena.rdma.SendOperation;
import org.verbena.rdma.spi.CounterSink;

/** How many operations were carried out and how many bytes they have moved. Used by any number of threads. */
final class OperationCounters {
    private static final String[] OPERATIONS = {"send", "write", "read", "atomic"};

    private final Direction out = new Direction();
    private final Direction in = new Direction();

    /** Counts an operation of this side. */
    void out(SendOperation operation, long bytes) {
        out.count(operation, bytes);
    }

    /** Counts an operation of the peer. */
    void in(SendOperation operation, long bytes) {
        in.count(operation, bytes);
    }

    /** Tells all. */
    void tell(CounterSink sink) {
        out.tell("out", sink);
        in.tell("in", sink);
    }

    private static int index(SendOperation operation) {
        return switch (operation) {
            case SEND, SEND_WITH_IMMEDIATE, SEND_WITH_INVALIDATE -> 0;
            case WRITE, WRITE_WITH_IMMEDIATE -> 1;
            case READ -> 2;
            case COMPARE_AND_SWAP, FETCH_AND_ADD -> 3;
        };
    }

    /** The operations that one side has begun. */
    private static final class Direction {
        private final LongAdder[] messages = adders();
        private final LongAdder[] bytes = adders();

        private static LongAdder[] adders() {
            LongAdder[] adders = new LongAdder[OPERATIONS.length];
            for (int i = 0; i < adders.length; i++) {
                adders[i] = new LongAdder();
            }
            return adders;
        }

        void count(SendOperation operation, long moved) {
            int index = index(operation);
            messages[index].increment();
            bytes[index].add(moved);
        }

        void tell(String direction, CounterSink sink) {
            for (int i = 0; i < OPERATIONS.length; i++) {
                sink.count("messages." + OPERATIONS[i] + "." + direction, messages[i].sum());
                sink.count("bytes." + OPERATIONS[i] + "." + direction, bytes[i].sum());
            }
        }
    }
}
