package org.verbena.rdma.provider.disni.connection;

/** Who has an id of librdmacm. Called on the event thread of the device alone. */
interface EventTarget {
    /**
     * Something has happened to the id. May come after the id was closed, and is then ignored.
     *
     * @param event what
     */
    void event(ConnectionEvent event);
}
