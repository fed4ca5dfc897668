package org.verbena.rdma.shell.karaf;

/** Why a command has failed, in a sentence that Karaf prints. */
final class CommandFailedException extends Exception {
    private static final long serialVersionUID = 1L;

    CommandFailedException(String sentence) {
        super(sentence);
    }
}
