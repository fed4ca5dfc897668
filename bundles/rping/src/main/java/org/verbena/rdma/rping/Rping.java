package org.verbena.rdma.rping;

import java.io.PrintStream;
import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/** The ping of RDMA, wire-compatible with the C program of the same name ({@code rping(1)}). */
@ProviderType
public interface Rping {
    /**
     * Runs one server or client to its end, on the calling thread. Many may run side by side.
     *
     * @param arguments what would stand on a command line behind the name of the program
     * @param out where to print what was asked for
     * @param err where to print what went wrong, one sentence each
     * @return the exit status: 0 if all went well, 1 if not, 2 if the arguments make no sense
     * @throws InterruptedException if the calling thread was interrupted; everything is cleaned up by then
     */
    int run(List<String> arguments, PrintStream out, PrintStream err) throws InterruptedException;
}
