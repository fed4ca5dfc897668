package org.verbena.rdma.shell.karaf;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.karaf.shell.api.action.lifecycle.Reference;
import org.apache.karaf.shell.api.console.CommandLine;
import org.apache.karaf.shell.api.console.Completer;
import org.apache.karaf.shell.api.console.Session;
import org.apache.karaf.shell.support.completers.StringsCompleter;
import org.verbena.rdma.monitor.Monitor;
import org.verbena.rdma.monitor.Snapshot;

/** Completes words that the monitor knows. */
abstract class Candidates implements Completer {
    private final Function<Snapshot, Stream<String>> words;

    @Reference
    private Monitor monitor;

    Candidates(Function<Snapshot, Stream<String>> words) {
        this.words = words;
    }

    @Override
    public final int complete(Session session, CommandLine commandLine, List<String> candidates) {
        StringsCompleter completer = new StringsCompleter();
        words.apply(monitor.snapshot()).forEach(completer.getStrings()::add);
        return completer.complete(session, commandLine, candidates);
    }

    /** For tests, which have no shell. */
    final void wire(Monitor of) {
        monitor = of;
    }
}
