package org.verbena.rdma.provider.iwarp.queue;

/** Where receives come from: a queue pair's own ring, or a shared one. Used on loops. */
public interface ReceiveSource {
    /** Takes the oldest receive; {@code false} if there is none. */
    boolean take(ReceiveWork into);

    /** The receive that was taken is done, and is empty afterwards. Its completion may only be told after this. */
    void finished(ReceiveWork taken);
}
