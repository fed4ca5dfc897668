package org.verbena.rdma.application.demo;

import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.monitor.ConnectionSnapshot;
import org.verbena.rdma.monitor.DeviceSnapshot;
import org.verbena.rdma.monitor.DeviceSnapshot.Condition;
import org.verbena.rdma.monitor.ListenerSnapshot;
import org.verbena.rdma.monitor.Monitor;
import org.verbena.rdma.monitor.RemovalSnapshot;
import org.verbena.rdma.rping.Rping;

/**
 * The main job in one go: pings over iWARP on the loopback interface, the device pulled under traffic and put back.
 *
 * <p>What it claims it has seen: in the monitor, in exit statuses, and in the data that came through.
 */
final class Demo {
    private static final String PROVIDER = "iwarp";
    private static final String ADDRESS = "127.0.0.1";
    private static final Duration PATIENCE = Duration.ofSeconds(15);
    private static final int PINGS = 10;
    private static final int TRAFFIC = 100;
    private static final Pattern PORT = Pattern.compile("port (\\d+)");

    private final Monitor monitor;
    private final Rping rping;
    private final PrintStream out;
    private final Runnable devicesTable;
    private final Expectations expect;
    private final List<Side> sides = new ArrayList<>();

    private String device;
    private String port;

    Demo(Monitor monitor, Rping rping, PrintStream out, Runnable devicesTable) {
        this.monitor = monitor;
        this.rping = rping;
        this.out = out;
        this.devicesTable = devicesTable;
        this.expect = new Expectations(out, PATIENCE);
    }

    void run() throws DemoFailedException, RdmaException, InterruptedException {
        try {
            findDevice();
            Side server = startServer();
            long listener = listener().orElseThrow().id().number();
            ping(server);
            pullUnderTraffic(server, listener);
            putBack(server, listener);
            stop(server);
        } finally {
            sides.forEach(Side::stop);
        }
        out.println();
        out.println("All " + expect.seen() + " things were seen.");
    }

    private void findDevice() throws DemoFailedException, InterruptedException {
        step("The devices");
        device = expect.soonPresent("an " + PROVIDER + " device on " + ADDRESS, () -> device(Condition.PRESENT))
                .name();
        devicesTable.run();
    }

    private Side startServer() throws DemoFailedException, InterruptedException {
        step("A server on all addresses of all devices");
        Side server = start("server", "-s", "-P", "-v", "-p", "0");
        port = expect.soonPresent(
                "the server has a port", () -> server.line("listening").flatMap(Demo::port));
        expect.soon(
                "it listens on device " + device,
                () -> listener().filter(this::servedByDevice).isPresent());
        return server;
    }

    private void ping(Side server) throws DemoFailedException, InterruptedException {
        step("A client sends " + PINGS + " pings and verifies what comes back");
        pingAndCompare(server);
    }

    private void pullUnderTraffic(Side server, long listener)
            throws DemoFailedException, RdmaException, InterruptedException {
        step("Device " + device + " is pulled under traffic");
        Side client = start("client", "-c", "-a", ADDRESS, "-p", port, "-S", "1024", "-v", "-V");
        expect.soon("traffic: " + TRAFFIC + " pings and going on", () -> client.pings() >= TRAFFIC);
        long active = connection(true).orElseThrow(this::noConnection).id().number();
        long passive = connection(false).orElseThrow(this::noConnection).id().number();

        Removals removals = new Removals(device);
        Monitor.Registration registration = monitor.addListener(removals);
        try {
            monitor.unplug(device);
            RemovalSnapshot removal = expect.soonPresent("the removal has ended", removals::ended);
            expect.soon(
                    "the client's id and the server's id were each told DEVICE_REMOVAL once",
                    () -> removals.told(active) == 1 && removals.told(passive) == 1);
            expect.now(
                    "nobody had to be forced, " + removal.elapsedMillis() + " ms in all",
                    removal.forced().isEmpty());
        } finally {
            registration.close();
        }
        expect.soon("the client has ended with status 1", () -> client.status().equals(Optional.of(1)));
        expect.now(
                "it says why", client.line("device " + device + " was removed").isPresent());
        expect.soon("the server says so too", () -> server.line("device " + device + " was removed")
                .isPresent());
        expect.now("the server runs on", server.running());
        expect.soon("the device is out", () -> device(Condition.UNPLUGGED).isPresent());
        expect.soon("the listener is the same one, and listens on the device no more", () -> listener()
                .filter(now -> now.id().number() == listener && !servedByDevice(now))
                .isPresent());
    }

    private void putBack(Side server, long listener) throws DemoFailedException, RdmaException, InterruptedException {
        step("Device " + device + " is put back");
        monitor.plug(device);
        expect.soon("the device is present", () -> device(Condition.PRESENT).isPresent());
        expect.soon("the same listener listens on it again", () -> listener()
                .filter(now -> now.id().number() == listener && servedByDevice(now))
                .isPresent());
        pingAndCompare(server);
    }

    private void stop(Side server) throws DemoFailedException, InterruptedException {
        step("The server is stopped");
        server.stop();
        expect.soon("the server has ended", () -> !server.running());
        expect.soon("its listener is gone", () -> listener().isEmpty());
    }

    private void pingAndCompare(Side server) throws DemoFailedException, InterruptedException {
        long before = server.pings();
        Side client =
                start("client", "-c", "-a", ADDRESS, "-p", port, "-C", Integer.toString(PINGS), "-S", "64", "-v", "-V");
        expect.soon("the client has ended with status 0: all came back as they were sent", () -> client.status()
                .equals(Optional.of(0)));
        expect.now(
                "the server has read " + PINGS + " pings", client.pings() == PINGS && server.pings() - before == PINGS);
        if (before == 0) {
            expect.now(
                    "what the server has read is what the client has sent",
                    server.data().equals(client.data()));
        }
    }

    private Side start(String name, String... arguments) {
        Side side = Side.start(name, out, rping, List.of(arguments));
        sides.add(side);
        return side;
    }

    private void step(String title) {
        out.println();
        out.println("== " + title);
    }

    private Optional<DeviceSnapshot> device(Condition condition) {
        return monitor.snapshot().devices().stream()
                .filter(known -> known.provider().equals(PROVIDER))
                // While it is out it serves no address.
                .filter(known -> device == null
                        ? known.addresses().contains(ADDRESS)
                        : known.name().equals(device))
                .filter(known -> known.condition() == condition)
                .findFirst();
    }

    private Optional<ListenerSnapshot> listener() {
        return monitor.snapshot().listeners().stream()
                .filter(listener -> listener.id().local().endsWith(port))
                .findFirst();
    }

    private boolean servedByDevice(ListenerSnapshot listener) {
        return listener.served().stream().anyMatch(where -> where.contains(device) && where.contains(ADDRESS));
    }

    private Optional<ConnectionSnapshot> connection(boolean active) {
        return monitor.snapshot().connections().stream()
                .filter(connection -> connection.active() == active)
                .filter(connection ->
                        (active ? connection.id().peer() : connection.id().local()).endsWith(port))
                .findFirst();
    }

    private DemoFailedException noConnection() {
        return new DemoFailedException("not seen: the connection in the monitor");
    }

    private static Optional<String> port(String line) {
        Matcher matcher = PORT.matcher(line);
        return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
    }
}
