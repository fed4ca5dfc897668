package org.verbena.rdma;

/** Whether a device can reach its network now. An interface that is deleted is a device that is gone, not a link state. */
public enum LinkState {
    /** The link carries traffic. */
    UP,
    /** The device is there, its link is not. */
    DOWN,
    /** The provider cannot tell. */
    UNKNOWN
}
