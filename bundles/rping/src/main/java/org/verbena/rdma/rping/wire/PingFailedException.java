package org.verbena.rdma.rping.wire;

/** A ping, a client or a server has failed; the message is a sentence for people. */
public class PingFailedException extends Exception {
    private static final long serialVersionUID = 1L;

    public PingFailedException(String sentence) {
        super(sentence);
    }
}
