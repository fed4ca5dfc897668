// SPDX-License-Identifier: Apache-2.0
package org.verbena.rdma.itests.peers;

import java.io.PrintWriter;
import org.apache.felix.service.command.Process;
import org.verbena.rdma.RdmaException;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Runs one of our programs as a Gogo command: reads its options, says how it has ended, and sets its exit status. */
final class CommandRun {
    private static final int FAILED = 1;
    private static final int MISUSED = 2;
    private static final int INTERRUPTED = 130;

    private CommandRun() {}

    /** A program. */
    interface Program {
        void run() throws RdmaException, PeerFailedException, InterruptedException;
    }

    /** What options extend. */
    static class Options {
        @Option(
                names = {"-h", "--help"},
                usageHelp = true,
                description = "Print this.")
        private boolean help;
    }

    static void run(String name, String[] words, Options options, Program program) {
        Process process = Process.Utils.current();
        CommandLine commandLine = new CommandLine(options).setCommandName(name);
        try {
            commandLine.parseArgs(words);
            if (commandLine.isUsageHelpRequested()) {
                commandLine.usage(new PrintWriter(process.out(), true));
                return;
            }
            program.run();
            process.out().println(name + ": passed");
        } catch (ParameterException e) {
            process.err().println(name + ": " + e.getMessage());
            process.error(MISUSED);
        } catch (RdmaException | PeerFailedException e) {
            process.err().println(name + ": " + e.getMessage());
            process.error(FAILED);
        } catch (InterruptedException e) {
            process.error(INTERRUPTED);
        }
    }
}
