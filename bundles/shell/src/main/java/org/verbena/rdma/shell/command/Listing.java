package org.verbena.rdma.shell.command;

import java.io.PrintStream;
import java.util.concurrent.Callable;
import org.verbena.rdma.monitor.Monitor;
import org.verbena.rdma.monitor.Snapshot;
import org.verbena.rdma.shell.json.Json;
import org.verbena.rdma.shell.table.Table;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What the commands that list something have in common: one snapshot, shown to people or to programs. */
abstract class Listing implements Callable<Integer> {
    private final Monitor monitor;
    private final PrintStream out;

    @Mixin
    private HelpOption help;

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    Listing(Monitor monitor, PrintStream out) {
        this.monitor = monitor;
        this.out = out;
    }

    final PrintStream out() {
        return out;
    }

    final boolean isJson() {
        return json;
    }

    final Snapshot snapshot() {
        return monitor.snapshot();
    }

    /** Prints what programs are to read as JSON, or the table, or a sentence in place of an empty one. */
    final void print(Object forPrograms, Table forPeople, String whenEmpty) {
        if (json) {
            Json.pretty().print(out, forPrograms);
        } else {
            forPeople.print(out, whenEmpty);
        }
    }
}
