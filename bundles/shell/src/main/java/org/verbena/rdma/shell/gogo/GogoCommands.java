package org.verbena.rdma.shell.gogo;

import java.util.concurrent.Callable;
import java.util.function.Function;
import org.apache.felix.service.command.Descriptor;
import org.apache.felix.service.command.Process;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.verbena.rdma.monitor.Monitor;
import org.verbena.rdma.shell.command.Connections;
import org.verbena.rdma.shell.command.Devices;
import org.verbena.rdma.shell.command.Doctor;
import org.verbena.rdma.shell.command.Ids;
import org.verbena.rdma.shell.command.Invocation;
import org.verbena.rdma.shell.command.Listeners;
import org.verbena.rdma.shell.command.Plug;
import org.verbena.rdma.shell.command.Stats;
import org.verbena.rdma.shell.command.Trace;
import org.verbena.rdma.shell.command.Unplug;

/** The commands as Gogo finds them: by the names of methods. */
@Component(
        service = GogoCommands.class,
        property = {
            "osgi.command.scope=rdma",
            "osgi.command.function=devices",
            "osgi.command.function=ids",
            "osgi.command.function=listeners",
            "osgi.command.function=connections",
            "osgi.command.function=stats",
            "osgi.command.function=unplug",
            "osgi.command.function=plug",
            "osgi.command.function=trace",
            "osgi.command.function=doctor"
        })
public final class GogoCommands {
    private final Monitor monitor;

    /** Made by Declarative Services. */
    @Activate
    public GogoCommands(@Reference Monitor monitor) {
        this.monitor = monitor;
    }

    /** Lists devices. */
    @Descriptor("lists the devices, and says who holds up a removal")
    public void devices(String[] arguments) {
        run(invocation -> new Devices(monitor, invocation.out()), arguments);
    }

    /** Lists ids. */
    @Descriptor("lists the connection ids")
    public void ids(String[] arguments) {
        run(invocation -> new Ids(monitor, invocation.out()), arguments);
    }

    /** Lists listeners. */
    @Descriptor("lists the ids that listen, and on which devices")
    public void listeners(String[] arguments) {
        run(invocation -> new Listeners(monitor, invocation.out()), arguments);
    }

    /** Lists connections. */
    @Descriptor("lists the ids that are connected or were")
    public void connections(String[] arguments) {
        run(invocation -> new Connections(monitor, invocation.out()), arguments);
    }

    /** Shows counters. */
    @Descriptor("shows what the providers have counted")
    public void stats(String[] arguments) {
        run(invocation -> new Stats(monitor, invocation.out()), arguments);
    }

    /** Takes a device out. */
    @Descriptor("takes a device out, as if it was pulled")
    public void unplug(String[] arguments) {
        run(invocation -> new Unplug(monitor, invocation.out()), arguments);
    }

    /** Puts a device back. */
    @Descriptor("puts a device back that was taken out")
    public void plug(String[] arguments) {
        run(invocation -> new Plug(monitor, invocation.out()), arguments);
    }

    /** Shows events. */
    @Descriptor("shows what happens, as it happens")
    public void trace(String[] arguments) {
        run(invocation -> new Trace(monitor, invocation.out()), arguments);
    }

    /** Looks what is wrong. */
    @Descriptor("says what is wrong on this machine, and what to do")
    public void doctor(String[] arguments) {
        run(invocation -> new Doctor(monitor, invocation.out()), arguments);
    }

    private static void run(Function<Invocation, Callable<Integer>> command, String[] arguments) {
        Process process = Process.Utils.current();
        Invocation invocation = new Invocation(process.out(), process.err());
        process.error(invocation.run(command.apply(invocation), arguments));
    }
}
