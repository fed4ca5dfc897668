package org.verbena.rdma.cm;

import org.osgi.annotation.versioning.ConsumerType;

/**
 * Told of what happens to an id.
 *
 * <p>Callbacks of one id never overlap and come in the order in which things have happened, on a thread of the
 * dispatcher, never on the stack of a call of the consumer. A callback may call anything, and may block: it then holds
 * up its own id, and, beyond a configurable number of blocked callbacks, other ids of its bundle.
 */
@ConsumerType
@FunctionalInterface
public interface EventHandler {
    /** What becomes of the id after the callback. */
    enum Verdict {
        /** The id lives on. */
        KEEP,
        /** The id is destroyed: no callback follows. */
        DESTROY
    }

    /**
     * Takes an event.
     *
     * @param event what has happened; for {@link CmEventType#CONNECT_REQUEST} the verdict is on the new id
     * @return what becomes of {@link CmEvent#id()}; {@code null} counts as {@link Verdict#DESTROY} and is logged
     * @throws Exception counts as {@link Verdict#DESTROY} and is logged, as does any other throw
     */
    Verdict onEvent(CmEvent event) throws Exception;
}
