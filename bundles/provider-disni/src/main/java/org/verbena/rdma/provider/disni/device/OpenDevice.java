package org.verbena.rdma.provider.disni.device;

import java.util.function.Consumer;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.Transport;
import org.verbena.rdma.provider.disni.connection.ConnectionResources;
import org.verbena.rdma.provider.disni.connection.DeviceEvents;
import org.verbena.rdma.provider.disni.natives.Natives;
import org.verbena.rdma.provider.disni.upcalls.UpcallGate;
import org.verbena.rdma.provider.disni.verbs.VerbsResources;
import org.verbena.rdma.spi.DeviceUpcalls;

/** A device in one period of use. Upcalls are made on its event thread, and none after its gate was closed. */
final class OpenDevice implements DeviceEvents {
    private final VerbsResources verbs;
    private final ConnectionResources connections;
    private final DeviceUpcalls upcalls;
    private final Runnable going;
    private final UpcallGate gate = new UpcallGate();

    private OpenDevice(
            String name,
            Transport transport,
            Natives natives,
            VerbsResources verbs,
            DeviceUpcalls upcalls,
            Runnable going)
            throws RdmaException {
        this.verbs = verbs;
        this.upcalls = upcalls;
        this.going = going;
        connections = ConnectionResources.open(name, transport == Transport.IWARP, natives, verbs, this);
    }

    /** Opens a device; {@code going} is run whenever the device says that it goes. */
    static OpenDevice open(String name, Transport transport, Natives natives, DeviceUpcalls upcalls, Runnable going)
            throws RdmaException {
        VerbsResources verbs = VerbsResources.open(natives.verbs(), name);
        try {
            return new OpenDevice(name, transport, natives, verbs, upcalls, going);
        } catch (RdmaException failed) {
            verbs.close();
            throw failed;
        }
    }

    VerbsResources verbs() {
        return verbs;
    }

    ConnectionResources connections() {
        return connections;
    }

    void close() {
        gate.close();
        connections.close();
        verbs.close();
    }

    /** Tells core something, soon. */
    void tell(Consumer<DeviceUpcalls> upcall) {
        connections.upcalls().execute(() -> tellNow(upcall));
    }

    private void tellNow(Consumer<DeviceUpcalls> upcall) {
        if (gate.enter()) {
            try {
                upcall.accept(upcalls);
            } finally {
                gate.leave();
            }
        }
    }

    @Override
    public void deviceGoing() {
        going.run();
    }

    @Override
    public void portChanged() {
        tellNow(DeviceUpcalls::linkChanged);
    }

    @Override
    public void addressesChanged() {
        tellNow(DeviceUpcalls::addressesChanged);
    }
}
