package org.verbena.rdma.provider.iwarp.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.provider.iwarp.loop.EventLoop;
import org.verbena.rdma.provider.iwarp.loop.EventLoops;
import org.verbena.rdma.provider.iwarp.queue.CompletionRing;

/** When a stream is served by who polls, and when no more. */
class LeaseTest {
    private static final int MANY = 1_000;

    private final CompletionRing receives = new CompletionRing(16, () -> {});
    private final CompletionRing sends = new CompletionRing(16, () -> {});
    private final AtomicReference<Thread> server = new AtomicReference<>();
    private EventLoops loops;
    private EventLoop loop;

    @BeforeEach
    void start() throws Exception {
        use(Duration.ZERO);
    }

    private void use(Duration spin) throws Exception {
        loops = EventLoops.start("test", 1, spin);
        loop = loops.all().get(0);
    }

    @AfterEach
    void stop() {
        loops.stop();
    }

    private Lease lease(boolean allowed) {
        return new Lease(loop, allowed, receives, sends, new Lease.Leased() {
            @Override
            public boolean serve(boolean readFirst) {
                server.set(Thread.currentThread());
                return true;
            }

            @Override
            public void leaseChanged() {}
        });
    }

    private static void poll(CompletionRing ring, int times) throws RdmaException {
        for (int i = 0; i < times; i++) {
            ring.poll((id, status, operation, bytes, pair, flags, key, vendor) -> {}, 1);
        }
    }

    /** Has the lease begin, with somebody polling until the loop has looked. */
    private void consider(Lease lease) throws Exception {
        CountDownLatch done = new CountDownLatch(1);
        loop.execute(() -> {
            lease.consider();
            done.countDown();
        });
        assertThat(done.await(1, TimeUnit.MINUTES)).isTrue();
    }

    private static void awaitEnd(Lease lease) {
        while (lease.isActive()) {
            Thread.onSpinWait();
        }
    }

    @Test
    @DisplayName("whoever polls without pause serves the stream, on either queue")
    void served() throws Exception {
        for (CompletionRing ring : new CompletionRing[] {receives, sends}) {
            Lease lease = lease(true);
            server.set(null);
            while (server.get() == null) {
                poll(ring, MANY);
                consider(lease);
                poll(ring, MANY);
            }
            assertThat(server.get()).isSameAs(Thread.currentThread());
            awaitEnd(lease);
        }
    }

    @Test
    @DisplayName("there is no lease without polls, or where none is allowed, or on a loop that spins")
    void none() throws Exception {
        Lease lease = lease(true);
        consider(lease);
        assertThat(lease.isActive()).isFalse();

        poll(receives, MANY);
        Lease forbidden = lease(false);
        consider(forbidden);
        assertThat(forbidden.isActive()).isFalse();

        loops.stop();
        use(Duration.ofMillis(1));
        Lease spinning = lease(true);
        poll(receives, MANY);
        consider(spinning);
        assertThat(spinning.isActive()).isFalse();
    }

    @Test
    @DisplayName("polls of long ago, before a notification was asked for, do not count")
    void armed() throws Exception {
        poll(receives, MANY);
        receives.requestNotification(false);
        Lease lease = lease(true);
        consider(lease);
        assertThat(lease.isActive()).isFalse();
    }

    @Test
    @DisplayName("a lease ends when nobody polls any more, and then polls are counted anew")
    void ends() throws Exception {
        poll(receives, MANY);
        Lease lease = lease(true);
        consider(lease);
        awaitEnd(lease);
        assertThat(receives.isSpunOn()).isFalse();
    }

    @Test
    @DisplayName("a lease ends when a notification is asked for, however many polls there are")
    void endsWhenArmed() throws Exception {
        Lease lease = lease(true);
        for (int round = 0; round < 20; round++) {
            poll(receives, MANY);
            consider(lease);
            receives.requestNotification(false);
            while (lease.isActive()) {
                receives.poll((id, status, operation, bytes, pair, flags, key, vendor) -> {}, 1);
            }
        }
    }

    @Test
    @DisplayName("a few streams of a queue are leased, the others are left to the loop")
    void few() throws Exception {
        Lease[] leases = new Lease[6];
        poll(receives, MANY);
        CountDownLatch done = new CountDownLatch(1);
        int[] active = new int[1];
        for (int i = 0; i < leases.length; i++) {
            leases[i] = lease(true);
        }
        loop.execute(() -> {
            for (Lease lease : leases) {
                lease.consider();
                active[0] += lease.isActive() ? 1 : 0;
            }
            done.countDown();
        });
        assertThat(done.await(1, TimeUnit.MINUTES)).isTrue();
        assertThat(active[0]).isEqualTo(4);
    }
}
