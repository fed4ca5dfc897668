package org.verbena.rdma.core.session;

import org.verbena.rdma.cm.CmEventType;

/**
 * The version of the cm package that a consumer was built against: the floor of its import range.
 *
 * @param major the major version
 * @param minor the minor version
 */
public record CmVersion(int major, int minor) {
    /** What counts when a consumer's import cannot be read. */
    public static final CmVersion OLDEST = new CmVersion(1, 0);

    /** What this core offers. */
    public static final CmVersion CURRENT = new CmVersion(1, 1);

    /**
     * Tells whether the consumer may be shown an event (C15).
     *
     * @param type the type of the event
     * @return {@code true} if it knows the type
     */
    public boolean knows(CmEventType type) {
        return type.knownTo(major, minor);
    }

    @Override
    public String toString() {
        return major + "." + minor;
    }
}
