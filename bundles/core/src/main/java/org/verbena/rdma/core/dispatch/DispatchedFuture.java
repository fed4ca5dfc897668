package org.verbena.rdma.core.dispatch;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A future whose continuations always run on the dispatcher, also those that are not asked to be asynchronous: neither
 * core's own thread nor the stack of a consumer's call ever runs a consumer's continuation (C6).
 *
 * <p>Adds no state but the executor to its superclass.
 *
 * @param <T> what it completes with
 */
public final class DispatchedFuture<T> extends CompletableFuture<T> {
    private final Executor dispatcher;

    /**
     * Makes a future.
     *
     * @param dispatcher what runs the continuations
     */
    public DispatchedFuture(Executor dispatcher) {
        this.dispatcher = dispatcher;
    }

    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        return new DispatchedFuture<>(dispatcher);
    }

    @Override
    public Executor defaultExecutor() {
        return dispatcher;
    }

    @Override
    public CompletableFuture<T> toCompletableFuture() {
        return copy();
    }

    @Override
    public <U> CompletableFuture<U> thenApply(Function<? super T, ? extends U> function) {
        return thenApplyAsync(function);
    }

    @Override
    public CompletableFuture<Void> thenAccept(Consumer<? super T> action) {
        return thenAcceptAsync(action);
    }

    @Override
    public CompletableFuture<Void> thenRun(Runnable action) {
        return thenRunAsync(action);
    }

    @Override
    public <U, V> CompletableFuture<V> thenCombine(
            CompletionStage<? extends U> other, BiFunction<? super T, ? super U, ? extends V> function) {
        return thenCombineAsync(other, function);
    }

    @Override
    public <U> CompletableFuture<Void> thenAcceptBoth(
            CompletionStage<? extends U> other, BiConsumer<? super T, ? super U> action) {
        return thenAcceptBothAsync(other, action);
    }

    @Override
    public CompletableFuture<Void> runAfterBoth(CompletionStage<?> other, Runnable action) {
        return runAfterBothAsync(other, action);
    }

    @Override
    public <U> CompletableFuture<U> applyToEither(CompletionStage<? extends T> other, Function<? super T, U> function) {
        return applyToEitherAsync(other, function);
    }

    @Override
    public CompletableFuture<Void> acceptEither(CompletionStage<? extends T> other, Consumer<? super T> action) {
        return acceptEitherAsync(other, action);
    }

    @Override
    public CompletableFuture<Void> runAfterEither(CompletionStage<?> other, Runnable action) {
        return runAfterEitherAsync(other, action);
    }

    @Override
    public <U> CompletableFuture<U> thenCompose(Function<? super T, ? extends CompletionStage<U>> function) {
        return thenComposeAsync(function);
    }

    @Override
    public CompletableFuture<T> whenComplete(BiConsumer<? super T, ? super Throwable> action) {
        return whenCompleteAsync(action);
    }

    @Override
    public <U> CompletableFuture<U> handle(BiFunction<? super T, Throwable, ? extends U> function) {
        return handleAsync(function);
    }

    @Override
    public CompletableFuture<T> exceptionally(Function<Throwable, ? extends T> function) {
        return exceptionallyAsync(function);
    }

    @Override
    public CompletableFuture<T> exceptionallyCompose(Function<Throwable, ? extends CompletionStage<T>> function) {
        return exceptionallyComposeAsync(function);
    }
}
