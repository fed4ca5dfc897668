package org.verbena.rdma.shell.karaf;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.karaf.shell.api.action.Action;
import org.apache.karaf.shell.api.action.lifecycle.Reference;
import org.apache.karaf.shell.api.console.Session;
import org.apache.karaf.shell.support.CommandException;
import org.verbena.rdma.monitor.Monitor;
import org.verbena.rdma.shell.command.Invocation;

/**
 * Hands what Karaf has read of a command line over to the command. What goes wrong is thrown as what Karaf prints without
 * a line in its log.
 */
abstract class MonitorAction implements Action {
    @Reference
    private Session session;

    @Reference
    private Monitor monitor;

    private final List<String> words = new ArrayList<>();

    /** Makes the command. */
    abstract Callable<Integer> command(Monitor all, PrintStream out);

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

    /** Says an argument if it was given. */
    final void argument(Object value) {
        if (value != null) {
            words.add(String.valueOf(value));
        }
    }

    @Override
    public final Object execute() throws CommandException {
        say();
        ByteArrayOutputStream errors = new ByteArrayOutputStream();
        PrintStream out = session.getConsole();
        new Invocation(out, new PrintStream(errors, true, StandardCharsets.UTF_8))
                .run(command(monitor, out), words.toArray(String[]::new));
        if (errors.size() > 0) {
            throw new CommandException(errors.toString(StandardCharsets.UTF_8).strip());
        }
        return null;
    }

    /** For tests, which have no shell. */
    final void wire(Session in, Monitor of) {
        session = in;
        monitor = of;
    }
}
