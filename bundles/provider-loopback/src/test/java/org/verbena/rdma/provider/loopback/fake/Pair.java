package org.verbena.rdma.provider.loopback.fake;

import org.verbena.rdma.RdmaException;
import org.verbena.rdma.cm.ConnectionParameters;
import org.verbena.rdma.spi.ProviderListener;

/** Two sides that are connected. */
public record Pair(Core core, Side client, Side server, ProviderListener listener) {

    public static Pair connected() throws RdmaException {
        return connected(Core.parameters());
    }

    public static Pair connected(ConnectionParameters parameters) throws RdmaException {
        Core core = new Core();
        Side client = new Side(core.add("client", "198.18.0.1"));
        Side server = new Side(core.add("server", "198.18.0.2"));
        return connected(core, client, server, parameters);
    }

    public static Pair connected(Core core, Side client, Side server, ConnectionParameters parameters)
            throws RdmaException {
        Requests requests = new Requests();
        ProviderListener listener = core.listen(server.device(), requests);
        Events events = new Events();
        client.endpoint(core.resolve(client.device(), Core.at(server.device()), events), events);
        client.createQueuePair();
        client.endpoint().connect(parameters);
        core.upcalls().runAll();
        Requests.Request request = requests.next();
        server.endpoint(request.endpoint(), request.events());
        server.createQueuePair();
        server.endpoint().accept(parameters);
        core.upcalls().runAll();
        return new Pair(core, client, server, listener);
    }
}
