package org.verbena.rdma.launcher;

/** How much the log tells, on standard error. */
enum LogLevel {
    /** What needs attention. */
    WARNINGS("warn", "warn", "warn"),
    /** Also devices that come and go. */
    DEVICES("warn", "warn", "info"),
    /** Also what else there is to know. */
    VERBOSE("info", "info", "info"),
    /** Each step of ours. */
    DEBUG("info", "debug", "debug");

    private static final String PREFIX = "org.slf4j.simpleLogger.";

    private final String others;
    private final String ours;
    private final String core;

    LogLevel(String others, String ours, String core) {
        this.others = others;
        this.ours = ours;
        this.core = core;
    }

    /** Sets the system properties that the logging bundle reads when it starts; what the user has set himself stays. */
    void apply() {
        set("defaultLogLevel", others);
        set("log.org.verbena", ours);
        set("log.org.verbena.rdma.core", core);
        // It says whether this machine has devices at all.
        set("log.org.verbena.rdma.provider.disni", core);
        set("showThreadName", this == DEBUG ? "true" : "false");
        set("showShortLogName", "true");
        set("showDateTime", "true");
        set("dateTimeFormat", "HH:mm:ss.SSS");
    }

    private static void set(String property, String value) {
        if (System.getProperty(PREFIX + property) == null) {
            System.setProperty(PREFIX + property, value);
        }
    }
}
