package org.verbena.rdma.monitor;

import java.util.concurrent.CompletionStage;
import org.osgi.annotation.versioning.ProviderType;
import org.verbena.rdma.RdmaException;

/** The view from above; an OSGi service of singleton scope. Methods may be called on any thread. */
@ProviderType
public interface Monitor {
    /**
     * Takes a snapshot. Its parts are each consistent in themselves, not with each other. Providers are asked for their
     * counters on other threads; one that does not answer within a quarter of a second is not waited for, and not asked
     * again until it has answered: what it has told last stands for what it has not.
     *
     * @return what is there now
     */
    Snapshot snapshot();

    /**
     * Takes a device out: a full removal, as if its provider had taken it away, while the provider's service stays.
     *
     * @param device the name of the device
     * @return completes when the removal is done, on the dispatcher
     * @throws RdmaException with NOT_FOUND if there is no such device or it is out already
     * @throws IllegalStateException if core has stopped; it registers another monitor when it starts again
     */
    CompletionStage<Void> unplug(String device) throws RdmaException;

    /**
     * Puts back a device that {@link #unplug} has taken out, or tries again to open one that could not be opened.
     *
     * @param device the name of the device
     * @return completes when the device serves again, or exceptionally with the {@link RdmaException} that says why not,
     *     on the dispatcher
     * @throws RdmaException with NOT_FOUND if no such device is out or has failed
     * @throws IllegalStateException if core has stopped; it registers another monitor when it starts again
     */
    CompletionStage<Void> plug(String device) throws RdmaException;

    /**
     * Asks to be told of what happens. The listener is called on the dispatcher, one call at a time, in order; it is
     * dropped when the bundle that got this service stops.
     *
     * @param listener what is told
     * @return to be closed to be told no more; no call follows the close when it is made outside of the listener
     */
    Registration addListener(MonitorListener listener);

    /** Ends a {@link MonitorListener}'s being told. */
    @ProviderType
    interface Registration extends AutoCloseable {
        /** Ends it; may be called again. */
        @Override
        void close();
    }
}
