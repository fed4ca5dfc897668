package org.verbena.rdma.shell.command;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Lets a thread of the shell, which is none of the dispatcher's, wait for a stage. */
final class Outcome {
    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    Outcome(CompletionStage<Void> stage) {
        stage.whenComplete((nothing, failure) -> {
            if (failure == null) {
                ended.complete(null);
            } else {
                ended.completeExceptionally(failure);
            }
        });
    }

    /** Waits without end. */
    void await() throws Exception {
        try {
            ended.get();
        } catch (ExecutionException e) {
            throw cause(e);
        }
    }

    /** Waits; returns whether it has ended in time. */
    boolean await(Duration timeout) throws Exception {
        try {
            ended.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw cause(e);
        }
    }

    private static Exception cause(ExecutionException wrapped) {
        Throwable cause = wrapped.getCause();
        if (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause instanceof Exception exception ? exception : wrapped;
    }
}
