package org.verbena.rdma.core.verbs;

/** What has become of a verbs object. It changes once, from open to one of the others. */
enum Fate {
    /** It can be used. */
    OPEN,
    /** Its owner has closed it. */
    CLOSED,
    /** The session that it was made through, or that something it depends on was made through, has ended. */
    ENDED,
    /** Its device was removed. */
    REMOVED
}
