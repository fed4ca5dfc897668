package org.verbena.rdma;

/**
 * The device is going or gone: the object cannot be used any more and needs no close.
 *
 * <p>A consumer lets go of what it made on the device and waits for the device service to come back, or for its
 * wildcard listener to serve again by itself.
 */
public class DeviceRemovedException extends RdmaException {
    private static final long serialVersionUID = 1L;

    /** The name of the device. */
    private final String device;

    /**
     * Makes an exception.
     *
     * @param device the name of the device that was removed
     */
    public DeviceRemovedException(String device) {
        super(RdmaError.NO_DEVICE, "device " + device + " was removed: release what was made on it");
        this.device = device;
    }

    /**
     * Returns the name of the device that was removed.
     *
     * @return the name, as in {@link RdmaDevice#name()}
     */
    public String device() {
        return device;
    }
}
