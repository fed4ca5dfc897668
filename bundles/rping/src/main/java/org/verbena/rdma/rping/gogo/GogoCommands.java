package org.verbena.rdma.rping.gogo;

import java.io.PrintStream;
import java.util.List;
import org.apache.felix.service.command.Descriptor;
import org.apache.felix.service.command.Process;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.verbena.rdma.rping.Perf;
import org.verbena.rdma.rping.Rping;

/** The commands as Gogo finds them: by the names of methods. */
@Component(
        service = GogoCommands.class,
        property = {"osgi.command.scope=rdma", "osgi.command.function=rping", "osgi.command.function=perf"})
public final class GogoCommands {
    private static final int INTERRUPTED = 130;

    private final Rping rping;
    private final Perf perf;

    /** Made by Declarative Services. */
    @Activate
    public GogoCommands(@Reference Rping rping, @Reference Perf perf) {
        this.rping = rping;
        this.perf = perf;
    }

    /** Pings. */
    @Descriptor("pings over RDMA; rping --help tells more")
    public void rping(String[] arguments) {
        run(rping::run, arguments);
    }

    /** Measures. */
    @Descriptor("measures latency and bandwidth; perf --help tells more")
    public void perf(String[] arguments) {
        run(perf::run, arguments);
    }

    /** One of both. */
    private interface Program {
        int run(List<String> arguments, PrintStream out, PrintStream err) throws InterruptedException;
    }

    private static void run(Program program, String[] arguments) {
        Process process = Process.Utils.current();
        try {
            process.error(program.run(List.of(arguments), process.out(), process.err()));
        } catch (InterruptedException e) {
            process.error(INTERRUPTED);
        }
    }
}
