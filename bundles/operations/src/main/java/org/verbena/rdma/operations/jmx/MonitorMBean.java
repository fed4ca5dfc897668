package org.verbena.rdma.operations.jmx;

import javax.management.openmbean.TabularData;

/**
 * What the monitor knows, for JMX, under the name {@code org.verbena.rdma:type=Monitor}. A row has the components of the
 * monitor's record of the same name; those of a record within are put into the same row.
 */
public interface MonitorMBean {
    /** Returns the devices, by name; of several with one name that which serves. */
    TabularData getDevices();

    /** Returns the ids that are neither listeners nor connections, by number. */
    TabularData getIds();

    /** Returns the listeners, by number. */
    TabularData getListeners();

    /** Returns the connections, by number. */
    TabularData getConnections();

    /** Returns the bundles that have sessions, by symbolic name and number. */
    TabularData getConsumers();

    /** Returns the removals that are running, by name and number of the device; {@code waitingFor} says who holds one up. */
    TabularData getRemovals();

    /**
     * Takes a device out and waits for the end of the removal.
     *
     * @param device its name
     * @return a sentence
     */
    String unplug(String device);

    /**
     * Puts a device back that was taken out, and waits until it serves.
     *
     * @param device its name
     * @return a sentence
     */
    String plug(String device);
}
