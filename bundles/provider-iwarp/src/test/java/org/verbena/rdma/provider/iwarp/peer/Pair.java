package org.verbena.rdma.provider.iwarp.peer;

import java.net.InetSocketAddress;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.spi.ProviderListener;

/** Two connected sides, over real sockets. */
public record Pair(TestDevice device, ProviderListener listener, Side client, Side server) implements AutoCloseable {
    public static Pair connect(Settings settings) throws RdmaException, InterruptedException {
        return connect(settings, "127.0.0.1", Side.Sizes.DEFAULTS);
    }

    public static Pair connect(Settings settings, String address, Side.Sizes sizes)
            throws RdmaException, InterruptedException {
        TestDevice device = new TestDevice(settings);
        ProviderListener listener = device.listen(address, 0);
        return connect(device, listener, listener.localAddress(), sizes);
    }

    public static Pair connect(
            TestDevice device, ProviderListener listener, InetSocketAddress destination, Side.Sizes sizes)
            throws RdmaException, InterruptedException {
        Side client = device.resolved(destination, sizes);
        client.endpoint().connect(TestDevice.parameters("hello"));
        TestDevice.Asked asked = device.nextRequest();
        Side server = new Side(device, asked.endpoint(), asked.events(), sizes);
        server.endpoint()
                .accept(asked.parameters()
                        .withPrivateData(TestDevice.parameters("welcome").privateData()));
        server.events().next("established");
        client.events().next("established");
        return new Pair(device, listener, client, server);
    }

    @Override
    public void close() {
        client.close();
        server.close();
        listener.close();
        device.close();
    }
}
