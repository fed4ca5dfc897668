package org.verbena.rdma.benchmarks.iwarp;

import java.util.ArrayList;
import java.util.List;
import org.verbena.rdma.benchmarks.Goal;
import org.verbena.rdma.benchmarks.Row;
import org.verbena.rdma.benchmarks.iwarp.IwarpBandwidth.Operation;

/** The rows of the iWARP provider. */
public final class IwarpRows {
    private static final int KIB = 1024;
    private static final int OUTSTANDING = 32;
    private static final int SMALL = 64;
    private static final int IDLE = 5_000;

    private IwarpRows() {}

    /**
     * Returns them.
     *
     * @return all rows, in the order of the table
     */
    public static List<Row> all() {
        List<Row> rows = new ArrayList<>();
        for (boolean crc : new boolean[] {false, true}) {
            latency(rows, 8, "8 B", crc);
            latency(rows, 4 * KIB, "4 KiB", crc);
        }
        for (Operation operation : Operation.values()) {
            bandwidth(rows, operation, 64 * KIB, "64 KiB");
            bandwidth(rows, operation, KIB * KIB, "1 MiB");
        }
        String rate = "64 B messages, 32 outstanding";
        rows.add(new Comparison(
                rate,
                "k/s",
                new IwarpRate(SMALL, OUTSTANDING),
                new RawLatency(SMALL, true, true),
                Goal.ratioAtLeast(3)));
        rows.add(new Comparison(
                rate,
                "k/s",
                new IwarpRate(SMALL, OUTSTANDING),
                new NettyRate(SMALL, OUTSTANDING),
                Goal.ratioAtLeast(1)));
        rows.add(new Comparison(
                "connect and close", "1/s", new IwarpConnects(), new RawConnects(), Goal.ratioAtLeast(0.6)));
        rows.add(new IdleMemory());
        rows.add(new Comparison(
                "latency, 8 B, among 5,000 idle",
                "us",
                IwarpLatency.among(IDLE, 8),
                IwarpLatency.of(8, true),
                Goal.ratioAtMost(1.2)));
        return rows;
    }

    private static void latency(List<Row> rows, int size, String text, boolean crc) {
        String what = "latency, " + text + (crc ? ", CRC" : ", no CRC");
        String unit = "us";
        Goal below = Goal.ratioAtMost(1);
        rows.add(new Comparison(
                what, unit, IwarpLatency.of(size, crc), new RawLatency(size, true, false), Goal.ratioAtMost(1.15)));
        rows.add(new Comparison(what, unit, IwarpLatency.of(size, crc), new RawLatency(size, false, false), Goal.NONE));
        rows.add(new Comparison(what, unit, IwarpLatency.of(size, crc), UcxPerftest.latency(size), below));
        rows.add(new Comparison(what, unit, IwarpLatency.meanOf(size, crc), new FabricPingPong(size), below));
        rows.add(new Comparison(what, unit, IwarpLatency.of(size, crc), new NettyLatency(size), Goal.NONE));
    }

    private static void bandwidth(List<Row> rows, Operation operation, int size, String text) {
        String what = operation.text() + " bandwidth, " + text;
        String unit = "MiB/s";
        rows.add(new Comparison(
                what + ", no CRC",
                unit,
                new IwarpBandwidth(operation, size, false),
                new RawBandwidth(size),
                Goal.ratioAtLeast(0.95)));
        rows.add(new Comparison(
                what + ", CRC",
                unit,
                new IwarpBandwidth(operation, size, true),
                new RawBandwidth(size),
                Goal.ratioAtLeast(0.8)));
        String test = operation == Operation.WRITE ? "ucp_put_bw" : "ucp_get";
        rows.add(new Comparison(
                what + ", no CRC",
                unit,
                new IwarpBandwidth(operation, size, false),
                UcxPerftest.bandwidth(test, size, IwarpBandwidth.OUTSTANDING),
                Goal.ratioAtLeast(1)));
    }
}
