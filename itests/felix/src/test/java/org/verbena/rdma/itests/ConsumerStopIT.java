// SPDX-License-Identifier: Apache-2.0
package org.verbena.rdma.itests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.verbena.rdma.itests.fixture.Services.eventually;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.Before;
import org.junit.Test;
import org.ops4j.pax.exam.Configuration;
import org.ops4j.pax.exam.Option;
import org.osgi.framework.Bundle;
import org.verbena.rdma.itests.fixture.Peer;

/** A consumer's bundle stops in the midst of it all. */
public class ConsumerStopIT extends DeviceTestBase {
    private static final String ADDRESS = "198.18.0.1";

    private Bundle bundle;
    private Peer peer;
    private Peer other;
    private int port;

    @Configuration
    public Option[] configuration() {
        return new Option[] {platform(), peer("peer"), peer("other")};
    }

    /** One bundle listens, another one connects to it. */
    @Before
    public void startPeers() throws Exception {
        loopback.plug("lo1", ADDRESS);
        bundle = start("peer");
        peer = new Peer(context, "peer");
        start("other");
        other = new Peer(context, "other");
        port = peer.listen(ADDRESS);
    }

    @Test
    public void C12_stoppingWaitsForACallbackThatRuns() throws Exception {
        CountDownLatch entered = latch();
        AtomicReference<Thread> stopper = new AtomicReference<>();
        AtomicBoolean ended = new AtomicBoolean();
        peer.inCallback("CONNECT_REQUEST", () -> {
            entered.countDown();
            // Long enough for a stop that does not wait for this to be over.
            eventually()
                    .during(Duration.ofMillis(300))
                    .until(() -> stopper.get() != null && (isWaiting(stopper.get()) || isStopped()));
            ended.set(true);
        });
        other.connect(ADDRESS, ADDRESS, port);
        await(entered);

        CompletableFuture<Duration> stopped = inBackground(() -> {
            stopper.set(Thread.currentThread());
            bundle.stop();
            assertThat(ended).isTrue();
        });

        stopped.get(20, TimeUnit.SECONDS);
        assertGone();
    }

    private static boolean isWaiting(Thread thread) {
        return thread.getState() == Thread.State.TIMED_WAITING || thread.getState() == Thread.State.WAITING;
    }

    private boolean isStopped() {
        return bundle.getState() == Bundle.RESOLVED;
    }

    @Test
    public void C12_stoppingWaitsForACallbackThatDoesNotEndUntilTheDeadlineOnly() throws Exception {
        Duration deadline = Duration.ofSeconds(1);
        setDeadline(deadline);
        CountDownLatch entered = latch();
        CountDownLatch release = latch();
        peer.inCallback("CONNECT_REQUEST", () -> {
            entered.countDown();
            await(release);
        });
        other.connect(ADDRESS, ADDRESS, port);
        await(entered);
        // Waits for its callback, which must never come.
        other.connect(ADDRESS, ADDRESS, port);

        Duration taken = timed(bundle::stop);

        assertThat(taken).isBetween(deadline.minusMillis(100), deadline.plusSeconds(8));
        release.countDown();
        other.await("client 1 REJECTED");
        other.await("client 2 REJECTED");
        assertThat(peer.events()).containsExactly("child 2 CONNECT_REQUEST");
        assertGone();
    }

    @Test
    public void C12_aConsumerStopsItselfInItsOwnCallback() throws Exception {
        Duration deadline = Duration.ofSeconds(20);
        setDeadline(deadline);
        AtomicReference<Duration> taken = new AtomicReference<>();
        peer.inCallback("CONNECT_REQUEST", () -> taken.set(timedQuietly(bundle::stop)));

        other.connect(ADDRESS, ADDRESS, port);

        eventually().until(() -> taken.get() != null);
        assertThat(taken.get()).isLessThan(deadline.dividedBy(2));
        other.await("client 1 REJECTED");
        eventually().untilAsserted(this::assertGone);
        assertThat(peer.events()).containsExactly("child 2 CONNECT_REQUEST");
    }

    @Test
    public void C12_threadsThatWaitForCompletionsWake() throws Exception {
        String client = other.connect(ADDRESS, ADDRESS, port);
        other.await(client + " ESTABLISHED");
        peer.await("child 2 ESTABLISHED");
        AtomicReference<Thread> waiter = new AtomicReference<>();
        CompletableFuture<Duration> woken = inBackground(() -> {
            waiter.set(Thread.currentThread());
            assertThat(peer.awaitCompletion("child 2")).contains("has ended with the session of peer");
        });
        eventually().until(() -> waiter.get() != null && isWaiting(waiter.get()));

        bundle.stop();

        woken.get(20, TimeUnit.SECONDS);
        assertGone();
    }

    /** Nothing of the bundle is left in core. */
    private void assertGone() {
        assertThat(snapshotOf("peer")).isEmpty();
        assertThat(snapshot().listeners()).isEmpty();
        assertThat(snapshot().ids()).noneMatch(id -> id.consumer().equals("peer"));
        assertThat(snapshot().connections())
                .noneMatch(connection -> connection.id().consumer().equals("peer"));
    }
}
