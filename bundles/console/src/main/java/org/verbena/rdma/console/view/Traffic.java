package org.verbena.rdma.console.view;

import java.util.Map;

/**
 * What has gone through a device or a queue pair, of all operations together, as its provider has counted it. The data of
 * a read go the other way than its request, and are counted where the data go.
 *
 * @param messagesOut operations that have sent data
 * @param bytesOut how many bytes these were
 * @param messagesIn operations that have received data
 * @param bytesIn how many bytes these were
 */
public record Traffic(long messagesOut, long bytesOut, long messagesIn, long bytesIn) {
    /** Adds up the counters; {@code null} if the provider does not count bytes. */
    static Traffic of(Map<String, Long> counters) {
        if (counters.keySet().stream().noneMatch(name -> name.startsWith("bytes."))) {
            return null;
        }
        return new Traffic(
                out("messages", counters), out("bytes", counters), in("messages", counters), in("bytes", counters));
    }

    private static long out(String what, Map<String, Long> counters) {
        return counter(what + ".send.out", counters)
                + counter(what + ".write.out", counters)
                + counter(what + ".read.in", counters);
    }

    private static long in(String what, Map<String, Long> counters) {
        return counter(what + ".send.in", counters)
                + counter(what + ".write.in", counters)
                + counter(what + ".read.out", counters);
    }

    private static long counter(String name, Map<String, Long> counters) {
        return counters.getOrDefault(name, 0L);
    }
}
