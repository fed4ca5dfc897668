package org.verbena.rdma.core.device;

/**
 * A removal as one who asked for it sees it.
 *
 * @param slot the place of the device
 * @param removal the removal
 * @param mine whether it was begun for this ticket, rather than found running
 */
record RemovalTicket(DeviceSlot slot, Removal removal, boolean mine) {
    /** Step 2, if it is this ticket's to do. */
    void unpublish() {
        if (mine) {
            removal.unpublish();
        }
    }

    /** Step 9. */
    void await() {
        removal.await();
        slot.endRemoval(removal);
    }
}
