package org.verbena.rdma.core.cm;

import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.verbena.rdma.core.CoreConfiguration;
import org.verbena.rdma.core.address.PortTable;
import org.verbena.rdma.core.address.SourceAddressLookup;
import org.verbena.rdma.core.device.Devices;
import org.verbena.rdma.core.dispatch.Dispatcher;

/**
 * What ids need around them.
 *
 * @param configuration what is set
 * @param dispatcher the threads
 * @param devices the devices
 * @param ports the ports
 * @param sources the routing of the machine
 * @param wildcards the listeners that follow devices
 * @param numbers gives each id a number
 * @param observer is told of events, for monitoring
 */
public record Surroundings(
        Supplier<CoreConfiguration> configuration,
        Dispatcher dispatcher,
        Devices devices,
        PortTable ports,
        SourceAddressLookup sources,
        WildcardListeners wildcards,
        AtomicLong numbers,
        EventObserver observer) {
    ScheduledExecutorService timer() {
        return dispatcher.timer();
    }
}
