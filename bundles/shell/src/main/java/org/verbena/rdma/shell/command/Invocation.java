package org.verbena.rdma.shell.command;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.verbena.rdma.RdmaException;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/**
 * One use of a command: what goes wrong becomes one sentence and an exit status.
 *
 * @param out where the command prints to
 * @param err where sentences on what went wrong go
 */
public record Invocation(PrintStream out, PrintStream err) {
    private static final int FAILED = 1;
    private static final int MISUSED = 2;
    private static final int INTERRUPTED = 130;

    /**
     * Uses a command.
     *
     * @param command takes the arguments and prints to the streams
     * @param arguments the words behind its name
     * @return the exit status
     */
    public int run(Callable<Integer> command, String... arguments) {
        return new CommandLine(command)
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .setParameterExceptionHandler(this::misused)
                .setExecutionExceptionHandler(this::failed)
                .execute(arguments);
    }

    private int misused(ParameterException misuse, String[] arguments) {
        String name = misuse.getCommandLine().getCommandName();
        err.println(name + ": " + misuse.getMessage() + "; " + name + " --help tells what there is");
        return MISUSED;
    }

    private int failed(Exception failure, CommandLine commandLine, ParseResult arguments) {
        if (failure instanceof InterruptedException) {
            return INTERRUPTED;
        }
        boolean expected = failure instanceof RdmaException;
        err.println(commandLine.getCommandName() + ": " + (expected ? failure.getMessage() : "it broke: " + failure));
        return FAILED;
    }
}
