package org.verbena.rdma.examples.mirror;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class UpcallThreadTest {
    @Test
    void anUpcallThatThrowsDoesNotKeepTheNextFromBeingMade() {
        UpcallThread thread = new UpcallThread("mirror0");
        List<String> told = new CopyOnWriteArrayList<>();
        CompletableFuture<Void> last = new CompletableFuture<>();

        thread.raise("a", () -> told.add("a"));
        thread.raise("b", () -> {
            throw new IllegalStateException("for this test");
        });
        thread.raise("c", () -> {
            told.add("c");
            last.complete(null);
        });

        last.join();
        assertThat(told).containsExactly("a", "c");
        // It waits for an upcall that runs; the one that has thrown does not.
        thread.cancel("b");
        thread.end();
    }
}
