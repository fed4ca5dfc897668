package org.verbena.rdma.provider.loopback.connection;

import java.net.InetAddress;
import java.time.Duration;
import org.verbena.rdma.Path;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.provider.loopback.schedule.Timer;
import org.verbena.rdma.provider.loopback.schedule.UpcallQueue;
import org.verbena.rdma.spi.PathUpcalls;
import org.verbena.rdma.spi.ProviderPathQuery;

/** A path query. There is a path at once, or there is none until the time is over. */
public final class LoopbackPathQuery implements ProviderPathQuery {
    private static final int MTU = 4096;

    private final ConnectionDevice device;
    private final PathUpcalls upcalls;
    private final UpcallQueue queue;
    private volatile Timer.Alarm alarm = () -> {};

    LoopbackPathQuery(ConnectionDevice device, PathUpcalls upcalls) {
        this.device = device;
        this.upcalls = upcalls;
        this.queue = new UpcallQueue(device.upcalls());
    }

    @Override
    public void close() {
        alarm.cancel();
        queue.close();
    }

    void start(InetAddress source, InetAddress destination, Duration timeout) {
        if (!device.neighbours().covers(destination)) {
            queue.add(() -> upcalls.failed(RdmaError.NETWORK_UNREACHABLE));
        } else if (device.isOnNetwork() && device.neighbours().answers(destination)) {
            Path path = new Path(source, destination, MTU, 0, 0, 0, Duration.ZERO);
            queue.add(() -> upcalls.found(path));
        } else {
            alarm = device.timer().after(timeout, () -> queue.add(() -> upcalls.failed(RdmaError.TIMED_OUT)));
        }
    }
}
