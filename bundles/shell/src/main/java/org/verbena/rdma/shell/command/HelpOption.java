package org.verbena.rdma.shell.command;

import picocli.CommandLine.Option;

/** What every command has. */
final class HelpOption {
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Print this.")
    private boolean help;
}
