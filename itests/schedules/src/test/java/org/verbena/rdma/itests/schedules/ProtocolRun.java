package org.verbena.rdma.itests.schedules;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Searches a protocol in a JVM of its own, with core as it is or with a variant that is broken on purpose. */
final class ProtocolRun {
    /**
     * What Lincheck wants to see of the JDK. On one processor no worker of a lane looks again and again before it retires,
     * which would hide the moment in which it does among hundreds of others.
     */
    private static final List<String> OPTIONS = List.of(
            "-Xmx1g",
            "-XX:ActiveProcessorCount=1",
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
            "--add-exports=java.base/jdk.internal.util=ALL-UNNAMED",
            "--add-exports=java.base/sun.security.action=ALL-UNNAMED");

    private ProtocolRun() {}

    static void assumeLincheckSees() {
        int version = Runtime.version().feature();
        assumeTrue(version == 17, "Lincheck's model checker is for JDK 17: it sees nothing on JDK " + version);
    }

    static Searches.Ended of(Protocol protocol, String kind, int schedules) throws IOException, InterruptedException {
        return run(protocol.name().toLowerCase(java.util.Locale.ROOT) + "-" + kind, null, protocol, kind, schedules);
    }

    static Searches.Ended ofBroken(String name, List<Break> breaks, Protocol protocol, int schedules)
            throws IOException, InterruptedException {
        return ofBroken(name, breaks, protocol, "model", schedules);
    }

    static Searches.Ended ofBroken(String name, List<Break> breaks, Protocol protocol, String kind, int schedules)
            throws IOException, InterruptedException {
        return run(name, BrokenCore.compile(name, breaks), protocol, kind, schedules);
    }

    private static Searches.Ended run(String name, Path front, Protocol protocol, String kind, int schedules)
            throws IOException, InterruptedException {
        return Searches.java(
                Searches.folder(name),
                front,
                OPTIONS,
                ProtocolSearch.class,
                List.of(protocol.name(), kind, Integer.toString(schedules)));
    }
}
