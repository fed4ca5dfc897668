package org.verbena.rdma.application.demo;

/** Something that the demo wants to show was not seen; the message says what. */
final class DemoFailedException extends Exception {
    private static final long serialVersionUID = 1L;

    DemoFailedException(String sentence) {
        super(sentence);
    }
}
