package org.verbena.rdma.monitor;

import java.util.Map;
import java.util.Optional;

/**
 * What has gone through a device or a connection, of all operations together, as its provider has counted it. The data of
 * a read go the other way than its request, and are counted where the data go.
 *
 * @param messagesSent operations that have sent data
 * @param bytesSent how many bytes these were
 * @param messagesReceived operations that have received data
 * @param bytesReceived how many bytes these were
 */
public record Traffic(long messagesSent, long bytesSent, long messagesReceived, long bytesReceived) {
    /**
     * Adds up counters.
     *
     * @param counters those of a {@link DeviceSnapshot} or a {@link ConnectionSnapshot}
     * @return their sums, empty if the provider does not count bytes
     */
    public static Optional<Traffic> of(Map<String, Long> counters) {
        if (counters.keySet().stream().noneMatch(name -> name.startsWith("bytes."))) {
            return Optional.empty();
        }
        return Optional.of(new Traffic(
                sent("messages", counters),
                sent("bytes", counters),
                received("messages", counters),
                received("bytes", counters)));
    }

    private static long sent(String what, Map<String, Long> counters) {
        return counter(what + ".send.out", counters)
                + counter(what + ".write.out", counters)
                + counter(what + ".read.in", counters);
    }

    private static long received(String what, Map<String, Long> counters) {
        return counter(what + ".send.in", counters)
                + counter(what + ".write.in", counters)
                + counter(what + ".read.out", counters);
    }

    private static long counter(String name, Map<String, Long> counters) {
        return counters.getOrDefault(name, 0L);
    }
}
