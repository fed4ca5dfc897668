package org.verbena.rdma.rping.run;

import java.io.PrintStream;

/**
 * Where a run prints to.
 *
 * @param program the name that stands before what went wrong
 * @param out what was asked for
 * @param err what went wrong, and the steps
 * @param debug whether to print the steps
 */
public record Console(String program, PrintStream out, PrintStream err, boolean debug) {
    /** Prints what was asked for. */
    public void print(String line) {
        out.println(line);
        out.flush();
    }

    /** Prints what went wrong. */
    public void error(String sentence) {
        err.println(program + ": " + sentence);
        err.flush();
    }

    /** Prints a step, if wanted. */
    public void step(String line) {
        if (debug) {
            err.println(line);
            err.flush();
        }
    }
}
