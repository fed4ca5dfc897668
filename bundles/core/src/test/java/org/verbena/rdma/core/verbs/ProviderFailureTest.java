package org.verbena.rdma.core.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.verbena.rdma.core.verbs.Failures.assertFails;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.verbena.rdma.CompletionQueue;
import org.verbena.rdma.MemoryRegion;
import org.verbena.rdma.ProtectionDomain;
import org.verbena.rdma.QueuePair;
import org.verbena.rdma.QueuePairState;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.SharedReceiveQueue;
import org.verbena.rdma.WorkCompletions;

class ProviderFailureTest extends VerbsFixture {
    private ProtectionDomain domain;
    private CompletionQueue queue;
    private QueuePair queuePair;
    private MemoryRegion region;

    @BeforeEach
    void connect() throws RdmaException {
        domain = domain();
        queue = queue(channel());
        queuePair = queuePair(domain, queue);
        region = region(domain);
    }

    private void breakCall(String call, String what) {
        provider.on(call, () -> {
            switch (what) {
                case "exception" -> throw new UnsupportedOperationException("broken on purpose");
                case "state" -> throw new IllegalStateException("broken on purpose");
                case "error" -> throw new NoClassDefFoundError("broken on purpose");
                default -> throw new OutOfMemoryError("broken on purpose");
            }
        });
    }

    @ParameterizedTest(name = "{displayName}: {0}")
    @ValueSource(strings = {"exception", "state", "error"})
    @DisplayName("C18: what a provider must not throw becomes an input/output error that names it")
    void unchecked(String what) throws Exception {
        for (String call : new String[] {
            "postSend",
            "postReceive",
            "fail",
            "poll",
            "requestNotification",
            "registerMemory",
            "createQueuePair",
            "createProtectionDomain",
            "createCompletionQueue",
            "createSharedReceiveQueue",
            "state"
        }) {
            breakCall(call, what);
        }
        int before = device.openObjects();
        WorkCompletions completions = queue.createWorkCompletions(1);
        assertFails(RdmaError.INPUT_OUTPUT, () -> queuePair.postSend(send(domain, region, 1)))
                .hasMessageContaining("broken on purpose")
                .hasMessageContaining("queue pair " + queuePair.number() + " of fake0")
                .hasCauseInstanceOf(Throwable.class);
        assertFails(RdmaError.INPUT_OUTPUT, () -> queuePair.postReceive(domain.createReceiveWorkRequest(1)));
        assertFails(RdmaError.INPUT_OUTPUT, queuePair::fail);
        assertThat(queuePair.state()).isEqualTo(QueuePairState.ERROR);
        assertFails(RdmaError.INPUT_OUTPUT, () -> queue.poll(completions));
        assertFails(RdmaError.INPUT_OUTPUT, () -> queue.requestNotification(false));
        assertFails(RdmaError.INPUT_OUTPUT, () -> region(domain));
        assertFails(RdmaError.INPUT_OUTPUT, () -> queuePair(domain, queue));
        assertFails(RdmaError.INPUT_OUTPUT, this::domain);
        assertFails(RdmaError.INPUT_OUTPUT, this::queue);
        assertFails(RdmaError.INPUT_OUTPUT, () -> domain.createSharedReceiveQueue(1, 1));
        assertThat(device.openObjects()).isEqualTo(before);
    }

    @Test
    @DisplayName("An error of the virtual machine is passed on, and nothing is left behind")
    void virtualMachineErrors() throws Exception {
        for (String call : new String[] {"postSend", "registerMemory", "close memory region"}) {
            breakCall(call, "memory");
        }
        int before = device.openObjects();
        assertThatThrownBy(() -> queuePair.postSend(send(domain, region, 1))).isInstanceOf(OutOfMemoryError.class);
        assertThatThrownBy(() -> region(domain)).isInstanceOf(OutOfMemoryError.class);
        assertThat(device.openObjects()).isEqualTo(before);
        assertThatThrownBy(region::close).isInstanceOf(OutOfMemoryError.class);
        assertThat(region.isOpen()).isFalse();
        assertThat(device.openObjects()).isEqualTo(before - 1);
    }

    @ParameterizedTest(name = "{displayName}: {0}")
    @ValueSource(strings = {"exception", "error"})
    @DisplayName("C18: an object whose close fails at the provider is closed all the same")
    void failingClose(String what) throws Exception {
        SharedReceiveQueue shared = domain.createSharedReceiveQueue(1, 1);
        for (String kind : new String[] {
            "queue pair", "shared receive queue", "memory region", "completion queue", "protection domain"
        }) {
            breakCall("close " + kind, what);
        }
        assertFails(RdmaError.INPUT_OUTPUT, queuePair::close).hasMessageContaining("closing queue pair");
        assertThat(closedCalls(queuePair)).isEqualTo(1);
        assertFails(RdmaError.INPUT_OUTPUT, shared::close);
        assertFails(RdmaError.INPUT_OUTPUT, region::close);
        assertFails(RdmaError.INPUT_OUTPUT, queue::close);
        assertFails(RdmaError.INPUT_OUTPUT, domain::close);
        assertThat(domain.isOpen()).isFalse();
        domain.close();
        assertThat(device.countsByKind()).containsOnlyKeys("completion channel");
    }

    @Test
    @DisplayName("C9: a removal goes on past calls that fail")
    void failingRemoval() throws Exception {
        for (String call : new String[] {"fail", "state", "poll", "close queue pair", "close memory region"}) {
            breakCall(call, "error");
        }
        remove();
        assertThat(device.openObjects()).isZero();
        assertThat(provider.closes()).containsExactly("completion queue", "protection domain");
        assertThat(closedCalls(queuePair)).isEqualTo(1);
    }

    @Test
    @DisplayName("A queue pair that cannot be moved to error is closed")
    void failingFail() throws Exception {
        breakCall("fail", "exception");
        queuePair.close();
        assertThat(provider.closes()).containsExactly("queue pair");
    }

    @Test
    @DisplayName("Completions that were taken before the provider fails are not lost")
    void halfPoll() throws Exception {
        queuePair.postSend(send(domain, region, 5));
        fake(queuePair).complete();
        breakCall("polled", "exception");
        WorkCompletions completions = queue.createWorkCompletions(4);
        assertThat(queue.poll(completions)).isEqualTo(1);
        assertThat(completions.workRequestId(0)).isEqualTo(5);
        assertFails(RdmaError.INPUT_OUTPUT, () -> queue.poll(completions));
    }
}
