package org.verbena.rdma.benchmarks.iwarp;

import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.verbena.rdma.benchmarks.Effort;
import org.verbena.rdma.benchmarks.Goal;
import org.verbena.rdma.benchmarks.Row;

/**
 * What an end of an idle connection takes: heap and direct buffers in use after a full collection with 5,000 connections,
 * both ends in this JVM, less that without, divided by 10,000. Each end has a protection domain, a completion queue for
 * 32, a queue pair for 16 sends and 16 receives, and a region of 64 bytes. What the operating system has for a socket is
 * not in it.
 */
final class IdleMemory implements Row {
    private static final int CONNECTIONS = 5_000;
    private static final int DEPTH = 16;
    private static final int MESSAGE = 64;
    private static final double MOST = 32;

    private Effort effort;

    @Override
    public String what() {
        return "iWARP, 5,000 idle connections, memory of each end";
    }

    @Override
    public String unit() {
        return "KiB";
    }

    @Override
    public String baseline() {
        return "";
    }

    @Override
    public Goal goal() {
        return Goal.atMost(MOST, unit());
    }

    @Override
    public List<String> jvmOptions() {
        return List.of("-XX:+UseSerialGC");
    }

    @Override
    public void prepare(Effort chosen) {
        effort = chosen;
    }

    @Override
    public double measure() throws Exception {
        int count = effort.of(CONNECTIONS);
        try (Machine machine = new Machine(true)) {
            // What the first connection loads and starts is not a connection's.
            List<Connection> connections = new ArrayList<>(count + 1);
            connections.add(machine.connect(new End.Size(MESSAGE, DEPTH)));
            long before = used();
            for (int i = 0; i < count; i++) {
                connections.add(machine.connect(new End.Size(MESSAGE, DEPTH)));
            }
            return (used() - before) / (2.0 * count) / 1024;
        }
    }

    private static long used() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed()
                + ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                        .mapToLong(BufferPoolMXBean::getMemoryUsed)
                        .sum();
    }

    @Override
    public double measureBaseline() {
        return Double.NaN;
    }
}
