package org.verbena.rdma.itests.schedules;

/**
 * Watches what no consumer may ever see: two callbacks of an id at a time, one after the id was destroyed, one after
 * DEVICE_REMOVAL.
 *
 * <p>Guarded by its own monitor.
 */
public final class Watch {
    private boolean running;
    private boolean over;
    private String overSince;

    /** Makes a watch over one id. */
    public Watch() {}

    /**
     * A callback begins.
     *
     * @param what names it
     */
    public synchronized void begin(Object what) {
        require(!running, what + " while another callback of the id runs");
        require(!over, what + " after " + overSince);
        running = true;
    }

    /** A callback ends. */
    public synchronized void end() {
        running = false;
    }

    /**
     * From now on no callback may begin.
     *
     * @param why what has happened
     */
    public synchronized void over(String why) {
        over = true;
        overSince = why;
    }

    /**
     * From now on no callback may run or begin.
     *
     * @param why what has happened
     */
    public synchronized void quiet(String why) {
        require(!running, "a callback still runs after " + why);
        over(why);
    }

    /**
     * Checks something.
     *
     * @param holds whether it is so
     * @param otherwise what is wrong if not
     */
    public static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }
}
