package org.verbena.rdma.cm;

import java.nio.ByteBuffer;
import org.osgi.annotation.versioning.ProviderType;
import org.verbena.rdma.RdmaError;

/** Something has happened to an id. Immutable; may be kept after the callback and read on any thread. */
@ProviderType
public interface CmEvent {
    /**
     * Returns what has happened.
     *
     * @return the type
     */
    CmEventType type();

    /**
     * Returns the id that it has happened to; for {@link CmEventType#CONNECT_REQUEST} the new one.
     *
     * @return the id
     */
    CmId id();

    /**
     * Returns the listener that a request has come through.
     *
     * @return the listener for {@link CmEventType#CONNECT_REQUEST}, else {@code null}
     */
    CmId listener();

    /**
     * Returns the error that an unhappy event carries.
     *
     * @return the error, {@link RdmaError#SUCCESS} for events that are no failure
     */
    RdmaError status();

    /**
     * Returns what the peer has told. For {@link CmEventType#CONNECT_REQUEST}, {@link CmEventType#CONNECT_RESPONSE} and
     * {@link CmEventType#ESTABLISHED}; for other events all counts are {@link ConnectionParameters#UNKNOWN}.
     *
     * @return the parameters, never {@code null}
     */
    ConnectionParameters parameters();

    /**
     * Returns the private data of the peer, as the transport delivers it: of the request, the reply or the reject.
     *
     * @return a read-only buffer of the caller's own, empty where there is none
     */
    ByteBuffer privateData();

    /**
     * Returns why the peer has refused.
     *
     * @return the reason for {@link CmEventType#REJECTED}, else {@code null}
     */
    RejectReason rejectReason();
}
