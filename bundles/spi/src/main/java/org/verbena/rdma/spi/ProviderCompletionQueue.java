package org.verbena.rdma.spi;

import org.osgi.annotation.versioning.ConsumerType;
import org.verbena.rdma.RdmaException;

/**
 * A completion queue of a provider. {@link #poll} may be called by several threads at a time; the queue sees to it that
 * each completion is taken once.
 */
@ConsumerType
public interface ProviderCompletionQueue {
    /**
     * Returns how many completions it holds.
     *
     * @return at least what was asked for
     */
    int entries();

    /**
     * Takes completions, oldest first. Never waits, allocates nothing. Completions of a queue pair that was closed stay.
     *
     * @param sink where to put them
     * @param max the most to take, at least 1
     * @return how many were taken
     * @throws RdmaException if the queue is broken, after an overflow for example
     */
    int poll(CompletionSink sink, int max) throws RdmaException;

    /**
     * Asks for one {@link CompletionUpcalls#completionEvent()} when the next completion arrives.
     *
     * @param solicitedOnly whether only errors and solicited messages count
     * @throws RdmaException if the queue is broken
     */
    void requestNotification(boolean solicitedOnly) throws RdmaException;

    /** Frees the queue and what is in it. */
    void close();
}
