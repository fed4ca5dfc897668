package org.verbena.rdma.rping.karaf;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import org.apache.karaf.shell.api.action.Action;
import org.apache.karaf.shell.api.action.lifecycle.Reference;
import org.apache.karaf.shell.api.console.Session;
import org.apache.karaf.shell.support.CommandException;

/** Hands what Karaf has read of a command line over to the program, and prints all that it says at once. */
abstract class ProgramAction implements Action {
    @Reference
    private Session session;

    private final List<String> words = new ArrayList<>();

    /** Runs the program to its end or to the interrupt of this thread; returns its exit status. */
    abstract int run(List<String> arguments, PrintStream out, PrintStream err) throws InterruptedException;

    /** Says the words of the command line. */
    abstract void say();

    /** Says an option if it was set. */
    final void flag(String option, boolean isSet) {
        if (isSet) {
            words.add(option);
        }
    }

    /** Says an option with its value if it was given. */
    final void option(String option, Object value) {
        if (value != null) {
            words.add(option + "=" + value);
        }
    }

    @Override
    public final Object execute() throws CommandException {
        say();
        PrintStream console = session.getConsole();
        int status;
        try {
            status = run(words, console, console);
        } catch (InterruptedException asked) {
            return null;
        }
        if (status != 0) {
            throw new CommandException("exit status " + status);
        }
        return null;
    }

    /** For tests, which have no shell. */
    final void wire(Session in) {
        session = in;
    }
}
