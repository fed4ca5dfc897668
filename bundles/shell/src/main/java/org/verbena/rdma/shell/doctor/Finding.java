package org.verbena.rdma.shell.doctor;

/**
 * Something that was looked at.
 *
 * @param level how it is
 * @param sentence what was found
 * @param advice what to do about it, or empty
 */
public record Finding(Level level, String sentence, String advice) {
    /** How something is. */
    public enum Level {
        /** As it should be. */
        GOOD,
        /** Worth knowing, and nothing that has to be done. */
        NOTE,
        /** Something will not work. */
        PROBLEM
    }

    static Finding good(String sentence) {
        return new Finding(Level.GOOD, sentence, "");
    }

    static Finding note(String sentence, String advice) {
        return new Finding(Level.NOTE, sentence, advice);
    }

    static Finding problem(String sentence, String advice) {
        return new Finding(Level.PROBLEM, sentence, advice);
    }
}
