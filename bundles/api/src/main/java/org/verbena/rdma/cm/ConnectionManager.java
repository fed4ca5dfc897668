package org.verbena.rdma.cm;

import org.osgi.annotation.versioning.ProviderType;
import org.verbena.rdma.RdmaDevice;
import org.verbena.rdma.RdmaException;

/**
 * Makes connection ids; an OSGi service of prototype scope.
 *
 * <p>A component that refers to it with {@code scope=PROTOTYPE_REQUIRED} has a session of its own, others share one per
 * bundle. Everything made through a session ends with it, when the component is deactivated or the bundle stopped;
 * therefore components that use it should be {@code immediate}. Methods may be called on any thread.
 */
@ProviderType
public interface ConnectionManager {
    /**
     * Makes an id that may use any device.
     *
     * @param portSpace where its ports live
     * @param handler what is told of its events
     * @return a new id in state {@link CmState#IDLE}
     * @throws RdmaException if the session has ended
     */
    CmId createId(PortSpace portSpace, EventHandler handler) throws RdmaException;

    /**
     * Makes an id that uses one device only. If an address that it is given leads elsewhere, the call that was given the
     * address fails.
     *
     * @param portSpace where its ports live
     * @param device the device to use, as obtained from the service registry
     * @param handler what is told of its events
     * @return a new id in state {@link CmState#IDLE}
     * @throws org.verbena.rdma.DeviceRemovedException if the device is going or gone
     * @throws RdmaException if the session has ended
     */
    CmId createId(PortSpace portSpace, RdmaDevice device, EventHandler handler) throws RdmaException;
}
