package org.verbena.rdma.benchmarks.iwarp;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.verbena.rdma.LinkState;
import org.verbena.rdma.RdmaDevice;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.benchmarks.core.Platform;
import org.verbena.rdma.cm.CmEvent;
import org.verbena.rdma.cm.CmEventType;
import org.verbena.rdma.cm.CmId;
import org.verbena.rdma.cm.ConnectionManager;
import org.verbena.rdma.cm.ConnectionParameters;
import org.verbena.rdma.cm.EventHandler.Verdict;
import org.verbena.rdma.cm.PortSpace;
import org.verbena.rdma.provider.iwarp.device.DeviceSettings;
import org.verbena.rdma.provider.iwarp.device.InterfaceState;
import org.verbena.rdma.provider.iwarp.device.IwarpDevice;
import org.verbena.rdma.provider.iwarp.device.KeepAlive;
import org.verbena.rdma.provider.iwarp.device.SocketBuffers;
import org.verbena.rdma.provider.iwarp.mpa.CrcPolicy;
import org.verbena.rdma.provider.iwarp.mpa.MpaSettings;

/** Core with one iWARP device on 127.0.0.1, and a listener there; both ends of each connection are in this JVM. */
final class Machine implements AutoCloseable {
    private static final int MTU = 65_536;
    private static final int LOOPS = 2;
    private static final int BACKLOG = 1_024;
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final long EVENT_SECONDS = 60;

    private final Platform platform = new Platform();
    private final BlockingQueue<CmEvent> clientEvents = new LinkedBlockingQueue<>();
    private final BlockingQueue<CmEvent> serverEvents = new LinkedBlockingQueue<>();
    private final RdmaDevice device;
    private final CmId listener;

    Machine(boolean crc) throws RdmaException, InterruptedException {
        IwarpDevice iwarp = new IwarpDevice(
                "iwarp-lo", 1, settings(crc), new InterfaceState(List.of(Sockets.LOOPBACK), LinkState.UP, MTU));
        platform.plug(iwarp);
        device = platform.device(iwarp.name());
        listener = connectionManager().createId(PortSpace.TCP, event -> keep(serverEvents, event));
        listener.bindAddress(new InetSocketAddress(Sockets.LOOPBACK, 0));
        listener.listen(BACKLOG);
    }

    /** With pollers; otherwise as it is without a configuration, but for the CRC. */
    static DeviceSettings settings(boolean crc) {
        return new DeviceSettings(
                new MpaSettings(
                        crc ? CrcPolicy.PREFERRED : CrcPolicy.OFF, true, 2, true, 128, TIMEOUT, TIMEOUT, TIMEOUT),
                Duration.ofSeconds(5),
                Duration.ofSeconds(2),
                new KeepAlive(Duration.ZERO),
                new SocketBuffers(0, 0),
                0,
                LOOPS,
                Duration.ZERO,
                true,
                true,
                251,
                65_536,
                1_024);
    }

    ConnectionManager connectionManager() {
        return platform.connectionManager();
    }

    RdmaDevice device() {
        return device;
    }

    private static Verdict keep(BlockingQueue<CmEvent> events, CmEvent event) {
        events.add(event);
        return event.type() == CmEventType.DEVICE_REMOVAL ? Verdict.DESTROY : Verdict.KEEP;
    }

    /** Makes a connection whose ends are of a size. */
    Connection connect(End.Size size) throws RdmaException, InterruptedException {
        End client = new End(device, size);
        End server = new End(device, size);
        connect(client, server);
        return new Connection(client, server);
    }

    /** Connects two ends that are not connected yet, with what they have advertised to each other. */
    void connect(End client, End server) throws RdmaException, InterruptedException {
        CmId id = connectionManager().createId(PortSpace.TCP, event -> keep(clientEvents, event));
        id.resolveAddress(null, listener.localAddress(), TIMEOUT);
        expect(clientEvents, CmEventType.ADDR_RESOLVED);
        id.resolveRoute(TIMEOUT);
        expect(clientEvents, CmEventType.ROUTE_RESOLVED);
        client.open(id);
        id.connect(ConnectionParameters.defaults());
        CmId request = expect(serverEvents, CmEventType.CONNECT_REQUEST).id();
        server.open(request);
        request.accept(ConnectionParameters.defaults().withPrivateData(server.advertised()));
        client.learn(expect(clientEvents, CmEventType.ESTABLISHED).parameters().privateData());
        expect(serverEvents, CmEventType.ESTABLISHED);
    }

    private static CmEvent expect(BlockingQueue<CmEvent> events, CmEventType type) throws InterruptedException {
        CmEvent event = events.poll(EVENT_SECONDS, TimeUnit.SECONDS);
        if (event == null || event.type() != type) {
            throw new IllegalStateException("expected " + type + ", not " + event);
        }
        return event;
    }

    @Override
    public void close() {
        listener.destroy();
        platform.close();
    }
}
