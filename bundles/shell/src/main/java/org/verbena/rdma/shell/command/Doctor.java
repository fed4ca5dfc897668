package org.verbena.rdma.shell.command;

import java.io.PrintStream;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import org.verbena.rdma.monitor.Monitor;
import org.verbena.rdma.shell.doctor.Diagnosis;
import org.verbena.rdma.shell.doctor.Finding;
import org.verbena.rdma.shell.doctor.Machine;
import org.verbena.rdma.shell.json.Json;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code rdma:doctor}. */
@Command(
        name = "doctor",
        description = {
            "Says what is wrong on this machine, and what to do: devices and addresses, listeners and consumers, kernel"
                    + " modules, libraries, limits.",
            "The exit status is 1 if there is a problem."
        })
public final class Doctor extends Listing {
    @Option(
            names = "--root",
            paramLabel = "FOLDER",
            defaultValue = "/",
            description = "Where the files of the machine are, ${DEFAULT-VALUE} if not given.")
    private Path root;

    /**
     * Makes one use of the command.
     *
     * @param monitor what it works on
     * @param out where it prints to
     */
    public Doctor(Monitor monitor, PrintStream out) {
        super(monitor, out);
    }

    @Override
    public Integer call() throws SocketException {
        List<Finding> findings = Diagnosis.of(new Machine(root), snapshot(), addresses());
        if (isJson()) {
            Json.pretty().print(out(), findings);
        } else {
            findings.forEach(this::print);
        }
        return findings.stream().anyMatch(finding -> finding.level() == Finding.Level.PROBLEM) ? 1 : 0;
    }

    private void print(Finding finding) {
        String mark =
                switch (finding.level()) {
                    case GOOD -> "  ok  ";
                    case NOTE -> "  --  ";
                    case PROBLEM -> "  !!  ";
                };
        out().println(mark + finding.sentence());
        if (!finding.advice().isEmpty()) {
            out().println("      " + finding.advice());
        }
    }

    private static List<InetAddress> addresses() throws SocketException {
        return Collections.list(NetworkInterface.getNetworkInterfaces()).stream()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(address -> !address.isLoopbackAddress())
                .toList();
    }
}
