package org.verbena.rdma.provider.iwarp.device;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.verbena.rdma.WorkCompletionStatus;
import org.verbena.rdma.provider.iwarp.peer.Pair;
import org.verbena.rdma.provider.iwarp.peer.RawPeer;
import org.verbena.rdma.provider.iwarp.peer.Request;
import org.verbena.rdma.provider.iwarp.peer.Settings;
import org.verbena.rdma.provider.iwarp.peer.Side;
import org.verbena.rdma.provider.iwarp.peer.TestDevice;
import org.verbena.rdma.spi.ProviderListener;

/**
 * A device in a JVM of its own, which may open few files: it says its port, and for each line that it reads it refuses
 * one request, and moves a message on a connection that it had before.
 */
final class FewDescriptors {
    private FewDescriptors() {}

    public static void main(String[] arguments) throws Exception {
        try (TestDevice device = new TestDevice(Settings.DEFAULTS.withHandshakeTimeouts(600_000))) {
            ProviderListener listener = device.listen("127.0.0.1", 0, 4_096);
            Pair pair = Pair.connect(device, listener, listener.localAddress(), Side.Sizes.DEFAULTS);
            loadClasses(device, listener.localAddress(), pair);
            System.out.println("port " + listener.localAddress().getPort());
            BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
            while (lines.readLine() != null) {
                refuseNext(device);
                System.out.println(arrives(pair) ? "served" : "the connection from before has failed");
            }
            pair.client().close();
            pair.server().close();
            listener.close();
        }
    }

    /** Does once what is to be done later: from a folder no class can be loaded without a descriptor. */
    private static void loadClasses(TestDevice device, InetSocketAddress address, Pair pair) throws Exception {
        try (Side refused = device.connecting(address, TestDevice.parameters("hello"))) {
            refuseNext(device);
            refused.events().next("rejected");
        }
        try (RawPeer dropped = RawPeer.connect(address)) {
            dropped.write(new byte[20]);
            dropped.readToEnd();
        }
        arrives(pair);
    }

    private static void refuseNext(TestDevice device) throws Exception {
        device.nextRequest().endpoint().reject(ByteBuffer.allocate(0));
    }

    private static boolean arrives(Pair pair) throws Exception {
        pair.server().receive(new Request(1));
        pair.client().send(new Request(2));
        return pair.server().receives().next().status() == WorkCompletionStatus.SUCCESS
                && pair.client().sends().next().status() == WorkCompletionStatus.SUCCESS;
    }
}
