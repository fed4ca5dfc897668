package org.verbena.rdma.provider.disni.upcalls;

import java.security.AccessController;
import java.security.PrivilegedAction;

/** Makes the provider's threads, which keep no JVM alive. */
public final class DaemonThread {
    private DaemonThread() {}

    /**
     * Makes a thread. Whoever has caused it must not have its class loader kept: neither by the stack, whose protection
     * domains a thread remembers before JDK 24, nor as the context's.
     *
     * @param work what it does
     * @param name its name
     * @return a thread that is not started
     */
    @SuppressWarnings("removal")
    public static Thread make(Runnable work, String name) {
        Thread thread =
                AccessController.doPrivileged((PrivilegedAction<Thread>) () -> new Thread(null, work, name, 0, false));
        thread.setContextClassLoader(DaemonThread.class.getClassLoader());
        thread.setDaemon(true);
        return thread;
    }
}
