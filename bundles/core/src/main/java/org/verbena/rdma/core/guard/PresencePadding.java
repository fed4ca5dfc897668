package org.verbena.rdma.core.guard;

import java.lang.ref.WeakReference;

/** Keeps what {@link PresenceState} adds off the cache line of what lies in front of it. */
abstract class PresencePadding extends WeakReference<Thread> {
    long front0;
    long front1;
    long front2;
    long front3;
    long front4;
    long front5;
    long front6;
    long front7;

    PresencePadding(Thread thread) {
        super(thread);
    }
}
