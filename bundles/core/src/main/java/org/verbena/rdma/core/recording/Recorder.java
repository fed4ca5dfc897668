package org.verbena.rdma.core.recording;

/**
 * Writes down what core does, if somebody records it. May be called on any thread; calls nothing that blocks. While nobody
 * records, each method costs a look at a flag.
 */
public interface Recorder {
    /** Records nothing. */
    Recorder NONE = new NoRecorder();

    /**
     * Returns what records on this JVM.
     *
     * @return the flight recorder, or {@link #NONE} where the JVM does not offer it
     */
    static Recorder available() {
        try {
            return FlightRecorderLoader.load();
        } catch (ReflectiveOperationException | LinkageError | RuntimeException absent) {
            return NONE;
        }
    }

    /**
     * Tells whether callbacks are recorded now.
     *
     * @return {@code true} if it is worth to look at the clock
     */
    boolean recordsCallbacks();

    /**
     * Begins a callback; it ends on the same thread.
     *
     * @return the callback, or {@code null} if callbacks are not recorded
     */
    CallbackRecording beginCallback();

    /**
     * A device has come.
     *
     * @param device its name
     * @param provider the name of its provider
     * @param addresses its addresses
     */
    void deviceUp(String device, String provider, String addresses);

    /**
     * Begins the removal of a device, the step MARKED first.
     *
     * @param device its name
     * @param cause what has started it
     * @return the removal
     */
    RemovalRecording beginRemoval(String device, String cause);

    /** A callback under way. */
    interface CallbackRecording {
        /**
         * The callback is over.
         *
         * @param bundle whose it is
         * @param callback what it is
         * @param waitedNanos how long it has waited for a thread; -1 if that was not measured
         */
        void end(String bundle, String callback, long waitedNanos);
    }

    /** A removal under way. Its calls come one after the other, on different threads. */
    interface RemovalRecording {
        /**
         * The step so far is over.
         *
         * @param next the step that begins
         */
        void step(String next);

        /**
         * Something was taken from a bundle by force.
         *
         * @param bundle the bundle
         */
        void forced(String bundle);

        /**
         * The removal is over.
         *
         * @param idsTold how many ids were told
         * @param abandoned whether the device was given up
         */
        void end(int idsTold, boolean abandoned);
    }
}
