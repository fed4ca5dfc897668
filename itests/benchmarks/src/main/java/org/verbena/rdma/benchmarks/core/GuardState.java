package org.verbena.rdma.benchmarks.core;

import java.nio.ByteBuffer;
import java.util.Set;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.verbena.rdma.Access;
import org.verbena.rdma.CompletionQueue;
import org.verbena.rdma.MemoryRegion;
import org.verbena.rdma.ProtectionDomain;
import org.verbena.rdma.QueuePair;
import org.verbena.rdma.RdmaDevice;
import org.verbena.rdma.SendWorkRequest;
import org.verbena.rdma.WorkCompletions;
import org.verbena.rdma.cm.CmId;
import org.verbena.rdma.cm.EventHandler.Verdict;
import org.verbena.rdma.spi.CompletionSink;
import org.verbena.rdma.spi.ProviderCompletionQueue;
import org.verbena.rdma.spi.ProviderQueuePair;
import org.verbena.rdma.spi.SendRequest;

/** What the guard's benchmarks work on: one device for all threads, and a connection for each. */
public class GuardState {
    private GuardState() {}

    /** One for all threads. */
    @State(Scope.Benchmark)
    public static class Shared {
        final Platform platform = new Platform();
        final StubDevice device = new StubDevice("stub0", "192.0.2.1");

        /** Brings the device. */
        @Setup(Level.Trial)
        public void plug() throws InterruptedException {
            platform.plug(device);
        }

        /** Stops core. */
        @TearDown(Level.Trial)
        public void close() {
            platform.close();
        }
    }

    /** One for each thread. */
    @State(Scope.Thread)
    public static class Connection {
        QueuePair queuePair;
        CompletionQueue completionQueue;
        SendWorkRequest request;
        WorkCompletions completions;

        ProviderQueuePair stubQueuePair;
        ProviderCompletionQueue stubCompletionQueue;
        SendRequest stubRequest;
        CompletionSink stubCompletions;

        /** Connects. */
        @Setup(Level.Trial)
        public void connect(Shared shared) throws Exception {
            CmId id = new StubIds(shared.platform, shared.device)
                    .connected(1, event -> Verdict.DESTROY)
                    .get(0);
            queuePair = id.queuePair();
            RdmaDevice device = id.device();
            completionQueue = device.createCompletionQueue(16, null);
            completions = completionQueue.createWorkCompletions(16);
            ProtectionDomain domain = queuePair.protectionDomain();
            MemoryRegion region = domain.registerMemory(ByteBuffer.allocateDirect(64), Set.of(Access.LOCAL_WRITE));
            request = domain.createSendWorkRequest(1).write(4096, 1).segment(region, 0, 64);

            stubQueuePair = new StubQueuePair(1);
            stubCompletionQueue = shared.device.createCompletionQueue(16, null);
            // The same objects as core hands to the provider.
            stubRequest = (SendRequest) request;
            stubCompletions = new OverwritingSink();
        }
    }
}
