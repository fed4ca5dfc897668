// SPDX-License-Identifier: Apache-2.0
package org.verbena.rdma.itests.peers;

import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.WorkCompletionOperation;
import org.verbena.rdma.cm.CmId;
import org.verbena.rdma.cm.ConnectionParameters;

/**
 * One end of a connection under traffic, with a thread of its own: each turn it writes into the peer's memory several
 * times and sends a message, until that is impossible. Nobody sends what the other has posted no receive for.
 */
final class TrafficEnd {
    private static final int SIZE = 65536;
    private static final int MESSAGE = 16;
    private static final int WRITES = 4;
    private static final int RECEIVES = 8;
    private static final int ENOUGH = 3;
    private static final int PATIENCE_SECONDS = 120;

    private final String name;
    private final Behavior behavior;
    private final Queue<String> broken;
    private final Connection connection;
    private final CountDownLatch running = new CountDownLatch(ENOUGH);
    private final Thread thread;
    private volatile String ended;
    // Written before the thread starts.
    private long peerAddress;
    private int peerKey;

    /**
     * Makes the connection's verbs objects.
     *
     * @param client whether this end speaks first
     */
    TrafficEnd(String name, Behavior behavior, Queue<String> broken, CmId id, boolean client) throws RdmaException {
        this.name = name;
        this.behavior = behavior;
        this.broken = broken;
        connection = new Connection(id, RECEIVES, SIZE);
        thread = new Thread(() -> run(client), "peers: " + name);
    }

    /** What the other end needs to know: the behavior of its consumer, and where to write. */
    ConnectionParameters parameters() {
        ByteBuffer data = ByteBuffer.allocate(1 + Long.BYTES + Integer.BYTES)
                .put((byte) behavior.ordinal())
                .putLong(connection.exposed().region().remoteAddress())
                .putInt(connection.exposed().region().remoteKey());
        return ConnectionParameters.defaults().withPrivateData(data.flip());
    }

    static Behavior behavior(ByteBuffer privateData) {
        return Behavior.values()[privateData.get(privateData.position())];
    }

    /** Begins, when the connection is established. */
    void start(ByteBuffer privateData) {
        peerAddress = privateData.getLong(privateData.position() + 1);
        peerKey = privateData.getInt(privateData.position() + 1 + Long.BYTES);
        thread.start();
    }

    /** Waits until some turns have passed. */
    void awaitTraffic() throws InterruptedException, PeerFailedException {
        if (!running.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new PeerFailedException(
                    name + " gets nowhere" + (ended == null ? "" : ": it has ended with " + ended));
        }
    }

    /** Waits until traffic is impossible. */
    void awaitEnd() throws InterruptedException, PeerFailedException {
        thread.join(PATIENCE_SECONDS * 1000L);
        if (thread.isAlive()) {
            throw new PeerFailedException(name + " is inside of a call, or goes on, although its device is removed");
        }
    }

    /** Tries once more where the consumer has not let go, when the device is removed for sure. */
    void checkRevoked() {
        if (behavior == Behavior.BEHAVES) {
            return;
        }
        try {
            connection.postReceive();
            broken.add(name + ": a receive was posted although the device is removed; traffic had ended with " + ended);
        } catch (RdmaException expected) {
            // The device is removed, or the queue pair was closed before with its id, which had nothing left to do.
        } catch (RuntimeException e) {
            broken.add(name + ": a receive after the removal ends with " + e);
        }
    }

    private void run(boolean client) {
        try {
            while (true) {
                if (client) {
                    write();
                    receive();
                } else {
                    receive();
                    write();
                }
                running.countDown();
            }
        } catch (RdmaException | PeerFailedException | IllegalStateException e) {
            // The queue pair is in error, or the device is removed.
            ended = e.toString();
        } catch (InterruptedException | RuntimeException e) {
            broken.add(name + " has ended with " + e);
        }
        if (behavior == Behavior.BEHAVES) {
            connection.close();
        }
    }

    private void write() throws RdmaException, PeerFailedException, InterruptedException {
        for (int i = 0; i < WRITES; i++) {
            connection.write(peerAddress, peerKey, SIZE);
        }
        connection.send(MESSAGE);
        connection.await(WorkCompletionOperation.WRITE, WRITES);
        connection.await(WorkCompletionOperation.SEND, 1);
    }

    private void receive() throws RdmaException, PeerFailedException, InterruptedException {
        connection.await(WorkCompletionOperation.RECEIVE, 1);
        connection.postReceive();
    }
}
