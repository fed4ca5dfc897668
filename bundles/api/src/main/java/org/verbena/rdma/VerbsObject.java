package org.verbena.rdma;

import org.osgi.annotation.versioning.ProviderType;

/**
 * Something made on a device.
 *
 * <p>It lives until it is closed, until the session it was made through ends, or until its device is removed. All
 * methods may be called on any thread, also inside callbacks.
 */
@ProviderType
public interface VerbsObject extends AutoCloseable {
    /**
     * Returns the device that this was made on.
     *
     * @return the device as its maker sees it
     */
    RdmaDevice device();

    /**
     * Tells whether this can be used.
     *
     * @return {@code false} once it is closed, its session has ended, or its device is gone
     */
    boolean isOpen();

    /**
     * Frees this. Does nothing when it is closed already or when its device was removed.
     *
     * @throws IllegalStateException if something that depends on this is still open; the message names it
     * @throws RdmaException if the provider reports an error; the object is closed all the same
     */
    @Override
    void close() throws RdmaException;

    /**
     * Asks to be told when this is taken away by a removal or by the end of its session, rather than closed by its
     * owner. Listeners run on the dispatcher, once, in the order in which they were added, and count as callbacks; a
     * throw is logged. A listener that is added after the revocation runs at once on the dispatcher; one that is added
     * after a close never runs.
     *
     * @param listener what to run
     */
    void onRevoked(Runnable listener);
}
