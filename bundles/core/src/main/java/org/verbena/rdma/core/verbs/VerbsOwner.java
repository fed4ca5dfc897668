package org.verbena.rdma.core.verbs;

import org.verbena.rdma.RdmaException;

/**
 * Whose a verbs object is: the session that it was made through. Two owners are the same only if they are the same object.
 *
 * <p>{@link #ensureOpen()} must throw before {@link VerbsDevice#endOwner} is called, or an object that is made meanwhile
 * would be missed.
 */
public interface VerbsOwner {
    /**
     * Returns the bundle that the session belongs to. Owners of one bundle may use each other's objects.
     *
     * @return the name for people, the same for all owners of a bundle
     */
    String bundle();

    /**
     * Checks that the session goes on.
     *
     * @throws RdmaException if it has ended
     */
    void ensureOpen() throws RdmaException;
}
