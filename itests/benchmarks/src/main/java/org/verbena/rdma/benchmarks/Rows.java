package org.verbena.rdma.benchmarks;

import java.util.ArrayList;
import java.util.List;
import org.verbena.rdma.benchmarks.core.CallsDuringRevocation;
import org.verbena.rdma.benchmarks.core.ConnectCycle;
import org.verbena.rdma.benchmarks.core.EventLatency;
import org.verbena.rdma.benchmarks.core.EventThroughput;
import org.verbena.rdma.benchmarks.core.GuardAllocation;
import org.verbena.rdma.benchmarks.core.GuardGrowth;
import org.verbena.rdma.benchmarks.core.GuardTime;
import org.verbena.rdma.benchmarks.core.IdMemory;
import org.verbena.rdma.benchmarks.core.Revocation;
import org.verbena.rdma.benchmarks.core.RevocationGrowth;
import org.verbena.rdma.benchmarks.iwarp.IwarpRows;

/** All rows, in the order of the table. */
final class Rows {
    private Rows() {}

    static List<Row> all() {
        List<Row> rows = new ArrayList<>();
        rows.addAll(core());
        rows.addAll(IwarpRows.all());
        return rows;
    }

    private static List<Row> core() {
        return List.of(
                new GuardTime("post", 1),
                new GuardTime("post", 2),
                new GuardTime("post", 4),
                new GuardTime("poll", 1),
                new GuardTime("poll", 2),
                new GuardTime("poll", 4),
                new GuardGrowth("post"),
                new GuardGrowth("poll"),
                new GuardAllocation("post"),
                new GuardAllocation("poll"),
                new EventLatency(),
                new EventThroughput(1),
                new EventThroughput(100),
                new EventThroughput(10_000),
                new IdMemory(false),
                new IdMemory(true),
                new ConnectCycle(false),
                new ConnectCycle(true),
                new Revocation(1_000, false),
                new Revocation(10_000, false),
                new Revocation(100_000, false),
                new RevocationGrowth(),
                new Revocation(10_000, true),
                new CallsDuringRevocation());
    }
}
