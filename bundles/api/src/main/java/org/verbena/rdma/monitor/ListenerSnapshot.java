package org.verbena.rdma.monitor;

import java.util.List;

/**
 * An id that listens.
 *
 * @param id the id
 * @param backlog how many requests may wait
 * @param waiting how many do
 * @param served where it listens now, device and address
 * @param failures where it should listen and cannot, and why; tried again by itself
 */
public record ListenerSnapshot(IdSnapshot id, int backlog, int waiting, List<String> served, List<String> failures) {
    /**
     * Copies the lists.
     *
     * @param id the id
     * @param backlog how many requests may wait
     * @param waiting how many do
     * @param served where it listens now, device and address
     * @param failures where it should listen and cannot, and why; tried again by itself
     */
    public ListenerSnapshot {
        served = List.copyOf(served);
        failures = List.copyOf(failures);
    }
}
