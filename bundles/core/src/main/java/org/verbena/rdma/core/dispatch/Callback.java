package org.verbena.rdma.core.dispatch;

/**
 * A callback that is running.
 *
 * @param lane whose callback it is
 * @param label what it is, a few words
 * @param thread the thread that runs it
 * @param startNanos when it began, as {@link System#nanoTime()}
 */
public record Callback(Lane lane, String label, Thread thread, long startNanos) {
    /**
     * Returns for how long it has been running.
     *
     * @return milliseconds
     */
    public long millis() {
        return (System.nanoTime() - startNanos) / 1_000_000;
    }
}
