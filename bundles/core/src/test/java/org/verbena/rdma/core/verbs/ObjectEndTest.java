package org.verbena.rdma.core.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.core.guard.Gate;
import org.verbena.rdma.core.guard.Guard;
import org.verbena.rdma.core.scripted.ScriptedDevice;

/** A removal frees what is not over once no thread is inside the provider; so whoever frees something is inside until it is over. */
class ObjectEndTest {
    private final ScriptedDevice provider = new ScriptedDevice("scripted", "192.0.2.1");
    private final Guard guard = new Guard();
    private final Gate gate = new Gate("device");
    private final List<Boolean> insideAtEnd = new ArrayList<>();
    private final VerbsOwner owner = new Owner();
    private final VerbsDevice verbs = new VerbsDevice(
            "scripted", provider, guard, gate, (any, task) -> task.run(), () -> insideAtEnd.add(guard.isInside(gate)));

    private static final class Owner implements VerbsOwner {
        @Override
        public String bundle() {
            return "owner";
        }

        @Override
        public void ensureOpen() {}
    }

    @BeforeEach
    void open() throws RdmaException {
        provider.open(null);
    }

    @Test
    @DisplayName("C9: an object that its owner closes is over before the thread has left the provider")
    void closed() throws RdmaException {
        verbs.createCompletionQueue(owner, null, 16, null).close();

        assertThat(insideAtEnd).containsExactly(true);
    }

    @Test
    @DisplayName("C9: an object that is taken away while it is made is over before the thread has left the provider")
    void takenAwayInTheMaking() {
        provider.on("createCompletionQueue", () -> verbs.endOwner(owner, System.nanoTime()));

        assertThatThrownBy(() -> verbs.createCompletionQueue(owner, null, 16, null))
                .isInstanceOf(RdmaException.class);

        assertThat(insideAtEnd).containsExactly(true);
    }
}
