package org.verbena.rdma.console.view;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import org.verbena.rdma.monitor.ConnectionSnapshot;
import org.verbena.rdma.monitor.ConsumerSnapshot;
import org.verbena.rdma.monitor.DeviceSnapshot;
import org.verbena.rdma.monitor.IdSnapshot;
import org.verbena.rdma.monitor.ListenerSnapshot;
import org.verbena.rdma.monitor.RemovalSnapshot;
import org.verbena.rdma.monitor.Snapshot;
import org.verbena.rdma.monitor.Traffic;

/**
 * What is there now, as the page shows it.
 *
 * @param millis when, in milliseconds of Unix time
 * @param devices all devices, also those that are out or going
 * @param removals the removals that run
 * @param totals how many rows each table has
 * @param page the rows of the table that is looked at
 */
public record Overview(
        long millis,
        List<DeviceView> devices,
        List<RemovalSnapshot> removals,
        Map<Query.Table, Integer> totals,
        Page page) {
    private static final int LINKS = 8;

    private static final Columns<ConnectionSnapshot> CONNECTIONS = new Columns<ConnectionSnapshot>()
            .with("number", connection -> connection.id().number())
            .with("state", connection -> state(connection.id()))
            .with("role", connection -> connection.active() ? "active" : "passive")
            .with("device", connection -> connection.id().device())
            .with("local", connection -> connection.id().local())
            .with("peer", connection -> connection.id().peer())
            .with("queuePair", Overview::queuePair)
            .with("bytesSent", connection -> bytes(connection, Traffic::bytesSent))
            .with("bytesReceived", connection -> bytes(connection, Traffic::bytesReceived))
            .with("establishedMillis", ConnectionSnapshot::establishedMillis)
            .with("events", connection -> connection.id().pendingEvents())
            .with("callback", connection -> connection.id().callbackThread())
            .with("consumer", connection -> connection.id().consumer());

    private static final Columns<ListenerSnapshot> LISTENERS = new Columns<ListenerSnapshot>()
            .with("number", listener -> listener.id().number())
            .with("local", listener -> listener.id().local())
            .with("portSpace", listener -> listener.id().portSpace())
            .with("served", ListenerSnapshot::served)
            .with("failures", ListenerSnapshot::failures)
            .with("waiting", ListenerSnapshot::waiting)
            .with("backlog", ListenerSnapshot::backlog)
            .with("events", listener -> listener.id().pendingEvents())
            .with("callback", listener -> listener.id().callbackThread())
            .with("consumer", listener -> listener.id().consumer());

    private static final Columns<IdSnapshot> IDS = new Columns<IdSnapshot>()
            .with("number", IdSnapshot::number)
            .with("state", Overview::state)
            .with("portSpace", IdSnapshot::portSpace)
            .with("device", IdSnapshot::device)
            .with("local", IdSnapshot::local)
            .with("peer", IdSnapshot::peer)
            .with("events", IdSnapshot::pendingEvents)
            .with("callback", IdSnapshot::callbackThread)
            .with("consumer", IdSnapshot::consumer);

    private static final Columns<ConsumerSnapshot> CONSUMERS = new Columns<ConsumerSnapshot>()
            .with("number", ConsumerSnapshot::bundleId)
            .with("consumer", ConsumerSnapshot::bundle)
            .with("sessions", ConsumerSnapshot::sessions)
            .with("ids", ConsumerSnapshot::ids)
            .with("objects", ConsumerSnapshot::verbsObjects)
            .with("waiting", ConsumerSnapshot::waitingCallbacks)
            .with("blocked", ConsumerSnapshot::blockedThreads)
            .with("forced", ConsumerSnapshot::forced)
            .with("version", ConsumerSnapshot::cmVersion);

    /**
     * Looks at a snapshot.
     *
     * @param snapshot what is there
     * @param query the rows to show
     * @return what the page shows
     */
    public static Overview of(Snapshot snapshot, Query query) {
        return new Overview(
                snapshot.taken().toEpochMilli(),
                devices(snapshot),
                snapshot.removals(),
                Map.of(
                        Query.Table.CONNECTIONS, snapshot.connections().size(),
                        Query.Table.LISTENERS, snapshot.listeners().size(),
                        Query.Table.IDS, snapshot.ids().size(),
                        Query.Table.CONSUMERS, snapshot.consumers().size()),
                page(snapshot, query));
    }

    private static Page page(Snapshot snapshot, Query query) {
        return switch (query.table()) {
            case CONNECTIONS -> CONNECTIONS.find(snapshot.connections(), query);
            case LISTENERS -> LISTENERS.find(snapshot.listeners(), query);
            case IDS -> IDS.find(snapshot.ids(), query);
            case CONSUMERS -> CONSUMERS.find(snapshot.consumers(), query);
        };
    }

    private static List<DeviceView> devices(Snapshot snapshot) {
        Map<String, String> homes = new HashMap<>();
        for (DeviceSnapshot device : snapshot.devices()) {
            device.addresses().forEach(address -> homes.put(address, device.name()));
        }
        Map<String, Map<String, Integer>> links = new HashMap<>();
        Map<String, Map<String, Integer>> users = new HashMap<>();
        for (ConnectionSnapshot connection : snapshot.connections()) {
            count(connection.id().consumer(), connection.id().device(), users);
            count(host(connection.id().peer()), connection.id().device(), links);
        }
        snapshot.listeners()
                .forEach(listener ->
                        count(listener.id().consumer(), listener.id().device(), users));
        snapshot.ids().forEach(id -> count(id.consumer(), id.device(), users));
        List<DeviceView> views = new ArrayList<>();
        for (DeviceSnapshot device : snapshot.devices()) {
            List<DeviceView.Link> all = links(links.getOrDefault(device.name(), Map.of()), homes);
            views.add(new DeviceView(
                    device,
                    Traffic.of(device.counters()).orElse(null),
                    all.subList(0, Math.min(LINKS, all.size())),
                    Math.max(0, all.size() - LINKS),
                    users.getOrDefault(device.name(), Map.of())));
        }
        return views;
    }

    private static void count(String what, String device, Map<String, Map<String, Integer>> counts) {
        if (!device.isEmpty() && !what.isEmpty()) {
            counts.computeIfAbsent(device, name -> new TreeMap<>()).merge(what, 1, Integer::sum);
        }
    }

    private static List<DeviceView.Link> links(Map<String, Integer> peers, Map<String, String> homes) {
        Map<String, Integer> here = new TreeMap<>();
        Map<String, Integer> elsewhere = new TreeMap<>();
        peers.forEach((address, connections) -> {
            String home = homes.get(address);
            (home == null ? elsewhere : here).merge(home == null ? address : home, connections, Integer::sum);
        });
        List<DeviceView.Link> links = new ArrayList<>();
        here.forEach((name, connections) -> links.add(new DeviceView.Link(name, true, connections)));
        elsewhere.forEach((address, connections) -> links.add(new DeviceView.Link(address, false, connections)));
        links.sort(Comparator.comparingInt(DeviceView.Link::connections).reversed());
        return links;
    }

    /** The address without the port, as devices have it. */
    private static String host(String address) {
        int end = address.lastIndexOf(':');
        String host = end < 0 ? address : address.substring(0, end);
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    /** -1 if they are not counted. */
    private static long bytes(ConnectionSnapshot connection, ToLongFunction<Traffic> direction) {
        return Traffic.of(connection.counters()).map(direction::applyAsLong).orElse(-1L);
    }

    private static String queuePair(ConnectionSnapshot connection) {
        return connection.queuePair() < 0 ? "" : connection.queuePair() + " " + connection.queuePairState();
    }

    private static String state(IdSnapshot id) {
        return id.state() + (id.removing() ? ", removing" : "") + (id.destroying() ? ", destroying" : "");
    }
}
