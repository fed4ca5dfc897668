package org.verbena.rdma.provider.iwarp.stream;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import org.verbena.rdma.SendOperation;
import org.verbena.rdma.provider.iwarp.wire.TerminateCode;
import org.verbena.rdma.spi.CounterSink;

/**
 * What is counted on a connection, or on all connections of a loop. One thread writes, the loop's; any thread reads. A
 * counter is a plain number in an array with opaque access: counting is an addition, and a reader sees each value whole,
 * soon. The names are those of {@link CounterSink}.
 */
public final class StreamCounters {
    private static final VarHandle VALUES = MethodHandles.arrayElementVarHandle(long[].class);
    private static final TerminateCode[] CODES = TerminateCode.values();
    private static final int SEND = 0;
    private static final int WRITE = 1;
    private static final int READ = 2;
    private static final int ATOMIC = 3;
    private static final String[] OPERATIONS = {"send", "write", "read", "atomic"};
    private static final String[] DIRECTIONS = {"out", "in"};
    private static final String[] LAYERS = {"rdmap", "ddp", "llp"};

    /** How far the bytes of an operation are behind its messages. */
    private static final int BYTES = 1;

    private static final int PER_OPERATION = 2;
    private static final int IN = OPERATIONS.length * PER_OPERATION;
    private static final int CRC_ERRORS = 2 * IN;
    private static final int ESTABLISHED = CRC_ERRORS + 1;
    private static final int FAILED_HANDSHAKES = ESTABLISHED + 1;
    private static final int TERMINATES_OUT = FAILED_HANDSHAKES + 1;
    private static final int TERMINATES_IN = TERMINATES_OUT + CODES.length;
    private static final int UNKNOWN_TERMINATES_IN = TERMINATES_IN + CODES.length;
    private static final int COUNT = UNKNOWN_TERMINATES_IN + 1;
    private static final List<String> NAMES = names();

    private final StreamCounters total;
    private final long[] values = new long[COUNT];

    /**
     * Begins at zero.
     *
     * @param total where everything is counted too, on the same loop, or {@code null}
     */
    StreamCounters(StreamCounters total) {
        this.total = total;
    }

    private static List<String> names() {
        List<String> names = new ArrayList<>(COUNT);
        for (String direction : DIRECTIONS) {
            for (String operation : OPERATIONS) {
                names.add("messages." + operation + "." + direction);
                names.add("bytes." + operation + "." + direction);
            }
        }
        names.add("errors.crc");
        names.add("connections.established");
        names.add("errors.handshake");
        for (String direction : DIRECTIONS) {
            for (TerminateCode code : CODES) {
                names.add(
                        "terminates." + direction + "." + LAYERS[code.layer()] + "." + code.type() + "." + code.code());
            }
        }
        names.add("terminates.in.unknown");
        return names;
    }

    /** Tells them, on any thread. What several loops tell is added up by the sink. */
    public void tell(CounterSink sink) {
        for (int i = 0; i < COUNT; i++) {
            // Of the codes those that have occurred; what only a device has is not a connection's.
            boolean always = total == null ? i < TERMINATES_OUT : i <= CRC_ERRORS;
            long value = (long) VALUES.getOpaque(values, i);
            if (always || value > 0) {
                sink.count(NAMES.get(i), value);
            }
        }
    }

    void sent(SendOperation operation, long bytes) {
        count(index(operation), bytes);
    }

    void sendReceived(long bytes) {
        count(IN + SEND * PER_OPERATION, bytes);
    }

    void writeReceived(long bytes) {
        count(IN + WRITE * PER_OPERATION, bytes);
    }

    void readServed(long bytes) {
        count(IN + READ * PER_OPERATION, bytes);
    }

    void atomicServed() {
        count(IN + ATOMIC * PER_OPERATION, Long.BYTES);
    }

    /** A connection has come to carry data. */
    public void established() {
        add(ESTABLISHED, 1);
    }

    /** A connection of TCP has not become one of RDMA, for a fault of the peer or because it took too long. */
    public void handshakeFailed() {
        add(FAILED_HANDSHAKES, 1);
    }

    /** This side sends a Terminate. */
    public void terminateSent(TerminateCode code) {
        add(TERMINATES_OUT + code.ordinal(), 1);
        if (code == TerminateCode.MPA_CRC) {
            add(CRC_ERRORS, 1);
        }
    }

    /** The peer has sent a Terminate, with whatever code. */
    void terminateReceived(int code) {
        TerminateCode known = TerminateCode.of(code);
        add(known == null ? UNKNOWN_TERMINATES_IN : TERMINATES_IN + known.ordinal(), 1);
    }

    private static int index(SendOperation operation) {
        return PER_OPERATION
                * switch (operation) {
                    case SEND, SEND_WITH_IMMEDIATE, SEND_WITH_INVALIDATE -> SEND;
                    case WRITE, WRITE_WITH_IMMEDIATE -> WRITE;
                    case READ -> READ;
                    case COMPARE_AND_SWAP, FETCH_AND_ADD -> ATOMIC;
                };
    }

    private void count(int messages, long bytes) {
        add(messages, 1);
        add(messages + BYTES, bytes);
    }

    private void add(int index, long count) {
        VALUES.setOpaque(values, index, values[index] + count);
        if (total != null) {
            total.add(index, count);
        }
    }
}
