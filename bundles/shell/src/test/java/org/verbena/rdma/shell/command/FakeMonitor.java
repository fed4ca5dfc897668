package org.verbena.rdma.shell.command;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.monitor.ConnectionSnapshot;
import org.verbena.rdma.monitor.ConsumerSnapshot;
import org.verbena.rdma.monitor.DeviceSnapshot;
import org.verbena.rdma.monitor.DeviceSnapshot.Condition;
import org.verbena.rdma.monitor.IdSnapshot;
import org.verbena.rdma.monitor.ListenerSnapshot;
import org.verbena.rdma.monitor.Monitor;
import org.verbena.rdma.monitor.MonitorListener;
import org.verbena.rdma.monitor.RemovalSnapshot;
import org.verbena.rdma.monitor.Snapshot;

/** A monitor that shows what a test puts into it, and whose removals and returns a test brings to their end. */
public final class FakeMonitor implements Monitor {
    public final List<DeviceSnapshot> devices = new ArrayList<>();
    public final List<IdSnapshot> ids = new ArrayList<>();
    public final List<ListenerSnapshot> listeners = new ArrayList<>();
    public final List<ConnectionSnapshot> connections = new ArrayList<>();
    public final List<ConsumerSnapshot> consumers = new ArrayList<>();
    public final List<RemovalSnapshot> removals = new ArrayList<>();
    public final List<MonitorListener> told = new CopyOnWriteArrayList<>();
    public CompletableFuture<Void> outcome = CompletableFuture.completedFuture(null);
    public RemovalSnapshot removed;

    public static DeviceSnapshot device(String name, Condition condition) {
        return device(name, condition, Map.of());
    }

    public static DeviceSnapshot device(String name, Condition condition, Map<String, Long> counters) {
        return new DeviceSnapshot(
                1,
                name,
                "iwarp",
                "iwarp",
                "",
                List.of("127.0.0.1", "0:0:0:0:0:0:0:1"),
                List.of(),
                "up",
                condition,
                "",
                2,
                Map.of("queue pair", 2, "memory region", 5),
                counters);
    }

    public static IdSnapshot id(long number, String state, String local, String peer) {
        return new IdSnapshot(number, state, false, false, "TCP", "lo", local, peer, "org.verbena.rdma.rping", 0, "");
    }

    @Override
    public Snapshot snapshot() {
        return new Snapshot(Instant.EPOCH, devices, ids, listeners, connections, consumers, removals);
    }

    @Override
    public CompletionStage<Void> unplug(String device) throws RdmaException {
        existing(device);
        if (removed != null) {
            told.forEach(listener -> listener.deviceDown(removed));
        }
        return outcome;
    }

    @Override
    public CompletionStage<Void> plug(String device) throws RdmaException {
        existing(device);
        return outcome;
    }

    @Override
    public Registration addListener(MonitorListener listener) {
        told.add(listener);
        return () -> told.remove(listener);
    }

    private void existing(String device) throws RdmaException {
        if (devices.stream().noneMatch(known -> known.name().equals(device))) {
            throw new RdmaException(RdmaError.NOT_FOUND, "there is no device " + device);
        }
    }
}
