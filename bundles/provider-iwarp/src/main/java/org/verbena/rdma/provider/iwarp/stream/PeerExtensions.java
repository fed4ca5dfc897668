package org.verbena.rdma.provider.iwarp.stream;

import org.verbena.rdma.provider.iwarp.wire.ExtensionOffer;

/**
 * Whether the peer takes the operations of RFC 7306. It is asked when the first of them is posted, and not before, so
 * that a connection without them is as it would be without this: an offer goes out, and a read of zero bytes behind it.
 * A peer that knows the offer answers it before it answers the read; one that does not know it drops it, and answers the
 * read alone. Loop only.
 */
final class PeerExtensions {
    private enum State {
        UNKNOWN,
        OFFERED,
        ASKED,
        TAKEN,
        NOT_TAKEN
    }

    private final boolean offered;
    private State state;
    private boolean answerDue;

    /**
     * Begins.
     *
     * @param offered whether this side takes them
     * @param askable whether the peer serves a read, without which it cannot be asked
     */
    PeerExtensions(boolean offered, boolean askable) {
        this.offered = offered;
        this.state = offered && askable ? State.UNKNOWN : State.NOT_TAKEN;
    }

    /** Whether this side takes them. */
    boolean areOffered() {
        return offered;
    }

    /** Whether it is known what the peer takes. */
    boolean areKnown() {
        return state == State.TAKEN || state == State.NOT_TAKEN;
    }

    /** Whether the peer takes them. */
    boolean areTaken() {
        return state == State.TAKEN;
    }

    boolean isOfferDue() {
        return state == State.UNKNOWN;
    }

    void offerSent() {
        state = State.OFFERED;
    }

    boolean isQuestionDue() {
        return state == State.OFFERED;
    }

    void questionSent() {
        state = State.ASKED;
    }

    /** The read behind the offer is answered, so nothing is to come any more. */
    void questionAnswered() {
        if (state == State.ASKED) {
            state = State.NOT_TAKEN;
        }
    }

    /** A write of zero bytes has come; whether it was meant for here. */
    boolean understand(int stag, long taggedOffset) {
        boolean offer = stag == ExtensionOffer.OFFER;
        if (!offered || taggedOffset != ExtensionOffer.TAGGED_OFFSET || !offer && stag != ExtensionOffer.ANSWER) {
            return false;
        }
        answerDue |= offer;
        if (offer || state == State.ASKED || state == State.OFFERED) {
            state = State.TAKEN;
        }
        return true;
    }

    boolean isAnswerDue() {
        return answerDue;
    }

    void answerSent() {
        answerDue = false;
    }
}
