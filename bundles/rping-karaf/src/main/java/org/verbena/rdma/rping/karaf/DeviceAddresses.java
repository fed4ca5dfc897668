package org.verbena.rdma.rping.karaf;

import java.util.List;
import org.apache.karaf.shell.api.action.lifecycle.Reference;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.apache.karaf.shell.api.console.CommandLine;
import org.apache.karaf.shell.api.console.Completer;
import org.apache.karaf.shell.api.console.Session;
import org.apache.karaf.shell.support.completers.StringsCompleter;
import org.verbena.rdma.monitor.Monitor;

/** The addresses that devices serve; others can be typed. */
@Service
public final class DeviceAddresses implements Completer {
    @Reference
    private Monitor monitor;

    @Override
    public int complete(Session session, CommandLine commandLine, List<String> candidates) {
        StringsCompleter completer = new StringsCompleter();
        monitor.snapshot().devices().forEach(device -> completer.getStrings().addAll(device.addresses()));
        return completer.complete(session, commandLine, candidates);
    }

    /** For tests, which have no shell. */
    void wire(Monitor of) {
        monitor = of;
    }
}
