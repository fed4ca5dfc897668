// SPDX-License-Identifier: Apache-2.0
package org.verbena.rdma.itests;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.verbena.rdma.itests.fixture.ConsumerBundles;
import org.verbena.rdma.itests.fixture.EmbeddedFramework;
import org.verbena.rdma.itests.fixture.Loopback;
import org.verbena.rdma.itests.fixture.Peer;
import org.verbena.rdma.itests.fixture.Services;

/**
 * The program of a JVM with little memory: one consumer exhausts it in a callback, and then everything must still work,
 * for that consumer and for another one.
 */
final class SmallHeap {
    /** What is printed in the end. */
    static final String SURVIVED = "everything still works";

    private static final String ADDRESS = "198.18.0.1";
    private static final int MEBIBYTE = 1 << 20;

    private SmallHeap() {}

    /** Takes the folder of the framework. */
    public static void main(String[] arguments) throws Exception {
        EmbeddedFramework framework = new EmbeddedFramework(Path.of(arguments[0]));
        for (String bundle : FrameworkStopIT.BASE) {
            framework.start(1, FelixTestBase.thirdPartyJar(bundle));
        }
        for (String bundle : List.of("api", "spi", "core", "provider-loopback")) {
            framework.start(1, FelixTestBase.verbenaJar(bundle));
        }
        framework.start(2, ConsumerBundles.jar("peer"));
        framework.start(2, ConsumerBundles.jar("other"));
        Loopback loopback = new Loopback(framework.context());
        loopback.plug("lo1", ADDRESS);
        Peer peer = new Peer(framework.context(), "peer");
        Peer other = new Peer(framework.context(), "other");
        int port = other.listen(ADDRESS);
        other.establish(ADDRESS, ADDRESS, port);

        peer.inCallback("client 1 ESTABLISHED", SmallHeap::exhaust);
        peer.connect(ADDRESS, ADDRESS, port);
        // The id is destroyed, so the other end is told.
        whenThereIsMemory(() ->
                Services.eventually().until(() -> other.events().stream().anyMatch(e -> e.endsWith("DISCONNECTED"))));

        peer.establish(ADDRESS, ADDRESS, port);
        other.establish(ADDRESS, ADDRESS, port);
        loopback.faults().pullOut("lo1").toCompletableFuture().get(30, TimeUnit.SECONDS);
        require(loopback.faults().open("lo1") == 0, "something is left open");
        require(
                loopback.faults().violations().isEmpty(),
                "a rule was broken: " + loopback.faults().violations());
        require(!peer.events().contains("client 1 DEVICE_REMOVAL"), "an event after destroy");
        framework.beginStop();
        require(framework.awaitStop(30_000), "the framework does not stop");
        System.out.println(SURVIVED);
        System.exit(0);
    }

    /** While the callback has all the memory, this thread gets none either. */
    private static void whenThereIsMemory(Runnable wait) {
        boolean waited = false;
        while (!waited) {
            try {
                wait.run();
                waited = true;
            } catch (OutOfMemoryError exhausted) {
                Thread.onSpinWait();
            }
        }
    }

    private static void exhaust() {
        List<byte[]> all = new ArrayList<>();
        while (true) {
            all.add(new byte[MEBIBYTE]);
        }
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            System.out.println(otherwise);
            System.exit(1);
        }
    }
}
