package org.verbena.rdma.rping;

import java.io.PrintStream;
import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/** Measures latency and bandwidth between two ends that both run this. */
@ProviderType
public interface Perf {
    /**
     * Runs one measurement or server to its end, on the calling thread. Many may run side by side, at the expense of each
     * other's figures.
     *
     * @param arguments what would stand on a command line behind the name of the program
     * @param out where to print what was asked for
     * @param err where to print what went wrong, one sentence each
     * @return the exit status: 0 if all went well, 1 if not, 2 if the arguments make no sense
     * @throws InterruptedException if the calling thread was interrupted; everything is cleaned up by then
     */
    int run(List<String> arguments, PrintStream out, PrintStream err) throws InterruptedException;
}
