package org.verbena.rdma.launcher;

/** Verbena does not come up; the message is a sentence for people. */
final class LaunchException extends Exception {
    private static final long serialVersionUID = 1L;

    LaunchException(String sentence) {
        super(sentence);
    }

    LaunchException(String sentence, Throwable cause) {
        super(sentence, cause);
    }
}
