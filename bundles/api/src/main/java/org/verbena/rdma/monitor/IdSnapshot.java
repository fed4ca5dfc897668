package org.verbena.rdma.monitor;

/**
 * An id.
 *
 * @param number a number of core's own that never comes again
 * @param state the state, as {@code CmState} names it
 * @param removing whether its device is being removed
 * @param destroying whether it is being destroyed
 * @param portSpace the port space, as {@code PortSpace} names it
 * @param device the name of its device, or empty
 * @param local the local address and port, or empty
 * @param peer the address and port of the peer, or empty
 * @param consumer the symbolic name of the bundle that it belongs to
 * @param pendingEvents how many events wait for their callback
 * @param callbackThread the name of the thread that runs a callback of it now, or empty
 */
public record IdSnapshot(
        long number,
        String state,
        boolean removing,
        boolean destroying,
        String portSpace,
        String device,
        String local,
        String peer,
        String consumer,
        int pendingEvents,
        String callbackThread) {}
