package org.verbena.rdma.application.demo;

import java.io.PrintStream;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Descriptor;
import org.apache.felix.service.command.Process;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.monitor.Monitor;
import org.verbena.rdma.rping.Rping;

/** {@code rdma:demo}. */
@Component(
        service = DemoCommand.class,
        property = {"osgi.command.scope=rdma", "osgi.command.function=demo"})
public final class DemoCommand {
    private static final int FAILED = 1;
    private static final int INTERRUPTED = 130;

    private final Monitor monitor;
    private final Rping rping;

    @Activate
    public DemoCommand(@Reference Monitor monitor, @Reference Rping rping) {
        this.monitor = monitor;
        this.rping = rping;
    }

    /** The Gogo command. */
    @Descriptor("pings over iWARP, pulls the device under traffic and puts it back")
    public void demo(CommandSession session) {
        Process process = Process.Utils.current();
        PrintStream out = process.out();
        try {
            new Demo(monitor, rping, out, () -> devices(session)).run();
        } catch (DemoFailedException | RdmaException e) {
            out.flush();
            process.err().println("demo: " + e.getMessage());
            process.error(FAILED);
        } catch (InterruptedException e) {
            process.err().println("demo: interrupted");
            process.error(INTERRUPTED);
        }
    }

    private static void devices(CommandSession session) {
        try {
            session.execute("rdma:devices");
        } catch (Exception e) {
            throw new IllegalStateException("the shell's command rdma:devices fails", e);
        }
    }
}
