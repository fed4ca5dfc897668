package org.verbena.rdma.provider.iwarp.device;

import java.time.Duration;
import org.verbena.rdma.provider.iwarp.mpa.MpaSettings;

/**
 * How a device behaves.
 *
 * @param mpa how it sets up connections
 * @param closeTimeout how long an end in good order may take
 * @param lingerTime how long a last word may take
 * @param keepAlive whether and when silent peers are asked
 * @param buffers how much the operating system buffers for a connection
 * @param segmentBytes how long a frame may be, 0 to take it from the MTU of the interface
 * @param loopThreads how many threads serve its connections
 * @param spin how long such a thread looks for work before it sleeps
 * @param pollers whether whoever polls a completion queue does the work of its connections meanwhile
 * @param extensions whether it offers the operations of RFC 7306, immediate data and atomics
 * @param maxPrivateData how much private data it offers to carry
 * @param maxQueuePairs how many queue pairs it has
 * @param maxHandshakes how many peers of a listener may be in the handshake; beyond it the oldest is dropped
 */
public record DeviceSettings(
        MpaSettings mpa,
        Duration closeTimeout,
        Duration lingerTime,
        KeepAlive keepAlive,
        SocketBuffers buffers,
        int segmentBytes,
        int loopThreads,
        Duration spin,
        boolean pollers,
        boolean extensions,
        int maxPrivateData,
        int maxQueuePairs,
        int maxHandshakes) {}
