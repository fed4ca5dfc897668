package org.verbena.rdma.benchmarks.core;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.verbena.rdma.benchmarks.Effort;
import org.verbena.rdma.benchmarks.Goal;
import org.verbena.rdma.benchmarks.Row;
import org.verbena.rdma.cm.CmId;
import org.verbena.rdma.cm.EventHandler;
import org.verbena.rdma.cm.EventHandler.Verdict;
import org.verbena.rdma.cm.PortSpace;

/**
 * What an id takes of the heap: what is in use after a full collection with 10,000 ids, less what is in use after one
 * without, divided. The serial collector is used, whose figure of what is in use is exact after a full collection. The
 * stub's own objects for a connected id (an endpoint and a queue pair) are counted too.
 */
public final class IdMemory implements Row {
    private final boolean connected;
    private Effort effort;
    private Platform platform;

    /**
     * Makes the row.
     *
     * @param connected whether the ids are connected and have queue pairs, rather than idle
     */
    public IdMemory(boolean connected) {
        this.connected = connected;
    }

    @Override
    public String what() {
        return "10,000 ids, heap each, " + (connected ? "connected, with queue pair" : "idle");
    }

    @Override
    public String unit() {
        return "B";
    }

    @Override
    public String baseline() {
        return "";
    }

    @Override
    public Goal goal() {
        return Goal.atMost(1024, unit());
    }

    @Override
    public List<String> jvmOptions() {
        return List.of("-XX:+UseSerialGC");
    }

    @Override
    public void prepare(Effort chosen) throws Exception {
        effort = chosen;
        platform = new Platform();
        // What the first id loads and starts is not an id's.
        use(1);
    }

    @Override
    public double measure() throws Exception {
        return use(effort.of(10_000));
    }

    private double use(int count) throws Exception {
        StubDevice device = new StubDevice("stub0", "192.0.2.1");
        platform.plug(device);
        EventHandler handler = event -> Verdict.DESTROY;
        List<CmId> ids = new ArrayList<>();
        long before = used();
        if (connected) {
            ids.addAll(new StubIds(platform, device).connected(count, handler));
        } else {
            for (int i = 0; i < count; i++) {
                ids.add(platform.connectionManager().createId(PortSpace.TCP, handler));
            }
        }
        long after = used();
        ids.forEach(CmId::destroy);
        platform.unregister(device);
        return (double) (after - before) / count;
    }

    private static long used() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    @Override
    public double measureBaseline() {
        return Double.NaN;
    }

    @Override
    public void close() {
        platform.close();
    }
}
