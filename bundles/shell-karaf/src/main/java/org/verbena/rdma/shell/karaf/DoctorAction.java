package org.verbena.rdma.shell.karaf;

import java.io.PrintStream;
import java.util.concurrent.Callable;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.verbena.rdma.monitor.Monitor;
import org.verbena.rdma.shell.command.Doctor;

/** {@code rdma:doctor}. */
@Service
@Command(scope = "rdma", name = "doctor", description = "Says what is wrong on this machine, and what to do.")
public final class DoctorAction extends MonitorAction {
    @Option(name = "--json", description = "Print JSON.")
    private boolean json;

    @Override
    Callable<Integer> command(Monitor all, PrintStream out) {
        return new Doctor(all, out);
    }

    @Override
    void say() {
        flag("--json", json);
    }
}
