package org.verbena.rdma.core.device;

import java.net.InetAddress;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.verbena.rdma.Path;
import org.verbena.rdma.PathQuery;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.core.dispatch.DispatchedFuture;
import org.verbena.rdma.core.guard.Presence;
import org.verbena.rdma.core.session.Session;
import org.verbena.rdma.core.session.SessionMember;
import org.verbena.rdma.spi.PathUpcalls;
import org.verbena.rdma.spi.ProviderPathQuery;

/**
 * One path query. What decides how it ends is the future: whoever completes it first has won. The provider's query is
 * closed once, by whoever comes second of the one that begins it and the one that ends it.
 *
 * <p>{@code atProvider}, {@code over} and {@code expiry} are guarded by this object's monitor, which is never held while
 * the provider is called.
 */
final class RunningPathQuery implements PathQuery, PathUpcalls, SessionMember {
    private final Device device;
    private final PathQueries queries;
    private final Session session;
    private final DispatchedFuture<Path> path;
    private ProviderPathQuery atProvider;
    private boolean over;
    private Future<?> expiry;
    private Executor threads;

    RunningPathQuery(Device device, PathQueries queries, Session session) {
        this.device = device;
        this.queries = queries;
        this.session = session;
        path = new DispatchedFuture<>(session);
    }

    void start(
            Executor executor,
            ScheduledExecutorService timer,
            InetAddress source,
            InetAddress destination,
            Duration timeout) {
        try {
            synchronized (this) {
                threads = executor;
                expiry = timer.schedule(
                        () -> end(null, RdmaError.TIMED_OUT, "no answer in " + timeout),
                        TimeUnit.NANOSECONDS.convert(timeout), // as long as can be, where toNanos throws
                        TimeUnit.NANOSECONDS);
            }
            executor.execute(() -> ask(source, destination, timeout));
        } catch (RejectedExecutionException stopping) {
            end(null, RdmaError.CANCELLED, "core is stopping");
        }
    }

    private void ask(InetAddress source, InetAddress destination, Duration timeout) {
        try {
            device.call(() -> {
                if (keep(device.provider().queryPath(source, destination, timeout, this))) {
                    closeLeftover();
                    // It may have ended before it was among those that run.
                    queries.remove(this);
                }
                return null;
            });
        } catch (RdmaException failed) {
            fail(failed);
        } catch (RuntimeException | Error failed) {
            fail(new RdmaException(RdmaError.INPUT_OUTPUT, "the provider cannot query a path: " + failed, failed));
        }
    }

    /** Keeps what the provider has begun and tells whether the query is over already. */
    private synchronized boolean keep(ProviderPathQuery begun) {
        atProvider = begun;
        return over;
    }

    @Override
    public CompletionStage<Path> path() {
        return path.copy();
    }

    @Override
    public boolean cancel() {
        return end(null, RdmaError.CANCELLED, "cancelled");
    }

    @Override
    public void found(Path found) {
        upcall(() -> end(found, RdmaError.SUCCESS, ""));
    }

    @Override
    public void failed(RdmaError error) {
        upcall(() -> end(null, error, error.sentence()));
    }

    private void upcall(Runnable outcome) {
        Presence here = device.enterUpcall();
        if (here != null) {
            try {
                outcome.run();
            } finally {
                here.exit();
            }
        }
    }

    private boolean end(Path found, RdmaError error, String why) {
        if (found != null) {
            return ended(path.complete(found));
        }
        return fail(new RdmaException(error, "path query on " + device.name() + ": " + why));
    }

    private boolean fail(RdmaException failure) {
        return ended(path.completeExceptionally(failure));
    }

    private boolean ended(boolean won) {
        if (won) {
            session.remove(this);
            Executor closer;
            synchronized (this) {
                over = true;
                if (expiry != null) {
                    expiry.cancel(false);
                }
                closer = atProvider == null ? null : threads;
            }
            if (closer == null) {
                // Not begun at the provider yet, or never: whoever begins it closes it.
                queries.remove(this);
            } else {
                try {
                    closer.execute(this::closeAtProvider);
                } catch (RejectedExecutionException | OutOfMemoryError noThread) {
                    closeAtProvider();
                }
            }
        }
        return won;
    }

    private void closeAtProvider() {
        Presence here = device.enter();
        if (here != null) {
            try {
                closeLeftover();
            } finally {
                here.exit();
            }
            queries.remove(this);
        }
    }

    /** Closes the provider's query if there is one. */
    void closeLeftover() {
        ProviderPathQuery closing;
        synchronized (this) {
            closing = atProvider;
            atProvider = null;
        }
        if (closing != null) {
            device.closing("path query", closing::close);
        }
    }

    @Override
    public void endWithSession() {
        cancel();
    }

    @Override
    public boolean awaitEnd(long deadlineNanos) {
        return true;
    }
}
