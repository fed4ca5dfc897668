package org.verbena.rdma.provider.loopback.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.verbena.rdma.QueuePairState;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.provider.loopback.LoopbackAttributes;
import org.verbena.rdma.provider.loopback.fake.Completions;
import org.verbena.rdma.provider.loopback.fake.Core;
import org.verbena.rdma.provider.loopback.fake.Work;
import org.verbena.rdma.spi.QueuePairResources;

/** What happens at the very moment in which a sender looks for a receive of its peer. */
class MeetingTest {
    @FunctionalInterface
    private interface Action {
        void run() throws RdmaException;
    }

    /** Lets something happen right after a sender has looked. */
    private static final class WatchedQueue extends ReceiveQueue {
        private final List<Action> afterLook = new ArrayList<>();

        WatchedQueue() {
            super(4, 0);
        }

        @Override
        boolean take(WorkRequest into, LoopbackQueuePair sender) {
            boolean taken = super.take(into, sender);
            if (!afterLook.isEmpty()) {
                try {
                    afterLook.remove(0).run();
                } catch (RdmaException e) {
                    throw new AssertionError(e);
                }
            }
            return taken;
        }
    }

    private final VerbsDevice device = new VerbsDevice(
            "device",
            LoopbackAttributes.defaults("device"),
            Duration.ofMillis(1),
            task -> {},
            Runnable::run,
            (delay, task) -> () -> {});
    private final List<String> ended = new ArrayList<>();
    private final QueuePairLink link = new QueuePairLink() {
        @Override
        public void failed(LoopbackQueuePair queuePair) {
            ended.add("failed");
        }

        @Override
        public void closing(LoopbackQueuePair queuePair) {
            ended.add("closing");
        }
    };
    private final WatchedQueue receives = new WatchedQueue();
    private LoopbackCompletionQueue sendCompletions;
    private LoopbackCompletionQueue receiveCompletions;
    private LoopbackQueuePair sender;
    private LoopbackQueuePair receiver;

    @BeforeEach
    void connect() throws RdmaException {
        LoopbackProtectionDomain domain = device.createProtectionDomain();
        sendCompletions = device.createCompletionQueue(16, () -> {});
        receiveCompletions = device.createCompletionQueue(16, () -> {});
        sender = device.createQueuePair(
                new QueuePairResources(domain, sendCompletions, sendCompletions, null), Core.sizes());
        receiver = device.createQueuePair(
                new QueuePairResources(
                        domain, receiveCompletions, receiveCompletions, new LoopbackSharedReceiveQueue(receives)),
                Core.sizes());
        QueuePairTerms terms = new QueuePairTerms(QueuePairTerms.ENDLESS, 1, 1);
        assertThat(LoopbackQueuePair.connect(sender, terms, receiver, terms, link))
                .isTrue();
    }

    @Test
    void aReceiveThatComesRightAfterTheLookIsFound() throws Exception {
        receives.afterLook.add(() -> receives.post(Work.receive(1)));
        sender.postSend(Work.send(2));
        assertThat(Completions.named(sendCompletions)).containsExactly("2 SUCCESS SEND");
        assertThat(Completions.named(receiveCompletions)).containsExactly("1 SUCCESS RECEIVE");
    }

    @Test
    void closeOfTheReceiverWaitsForTheSenderInside() throws Exception {
        Thread closing = new Thread(receiver::close);
        receives.post(Work.receive(1));
        receives.afterLook.add(() -> startAndWait(closing));
        sender.postSend(Work.send(2));
        closing.join();
        assertThat(Completions.named(receiveCompletions)).containsExactly("1 SUCCESS RECEIVE");
        assertThat(Completions.named(sendCompletions)).containsExactly("2 SUCCESS SEND");
        assertThat(receiver.state()).isEqualTo(QueuePairState.CLOSED);
        assertThat(ended).containsExactly("closing");
    }

    @Test
    void closeOfTheSenderWaitsUntilItCarriesNothing() throws Exception {
        Thread closing = new Thread(sender::close);
        receives.post(Work.receive(1));
        receives.afterLook.add(() -> startAndWait(closing));
        sender.postSend(Work.send(2));
        closing.join();
        assertThat(Completions.named(sendCompletions)).containsExactly("2 SUCCESS SEND");
        assertThat(sender.state()).isEqualTo(QueuePairState.CLOSED);
    }

    @Test
    void aSendThatIsPostedMeanwhileIsCarriedOutToo() throws Exception {
        receives.post(Work.receive(1));
        receives.post(Work.receive(2));
        receives.afterLook.add(() -> sender.postSend(Work.send(4)));
        sender.postSend(Work.send(3));
        assertThat(Completions.named(sendCompletions)).containsExactly("3 SUCCESS SEND", "4 SUCCESS SEND");
    }

    @Test
    void aFailureInTheMeantimeFlushesTheSend() throws Exception {
        receives.afterLook.add(() -> {
            sender.fail();
            assertThat(Completions.named(sendCompletions))
                    .as("still being carried")
                    .isEmpty();
        });
        sender.postSend(Work.send(1));
        assertThat(Completions.named(sendCompletions)).containsExactly("1 FLUSHED SEND");
        assertThat(ended).containsExactly("failed");
    }

    private static void startAndWait(Thread closing) {
        closing.start();
        await().until(() -> closing.getState() == Thread.State.WAITING);
    }
}
