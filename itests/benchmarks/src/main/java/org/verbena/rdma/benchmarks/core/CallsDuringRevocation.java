package org.verbena.rdma.benchmarks.core;

import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.verbena.rdma.Access;
import org.verbena.rdma.CompletionQueue;
import org.verbena.rdma.ProtectionDomain;
import org.verbena.rdma.QueuePair;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.SendWorkRequest;
import org.verbena.rdma.WorkCompletions;
import org.verbena.rdma.benchmarks.Effort;
import org.verbena.rdma.benchmarks.Goal;
import org.verbena.rdma.benchmarks.Row;
import org.verbena.rdma.benchmarks.Samples;
import org.verbena.rdma.cm.CmId;
import org.verbena.rdma.cm.EventHandler.Verdict;

/**
 * A post and a poll on one device, timed one by one, while another device with 10,000 connected ids is removed. The 99th
 * percentile.
 */
public final class CallsDuringRevocation implements Row {
    private static final int IDS = 10_000;

    private final Samples samples = new Samples();
    private Effort effort;
    private Platform platform;
    private QueuePair queuePair;
    private CompletionQueue queue;
    private SendWorkRequest request;
    private WorkCompletions completions;

    @Override
    public String what() {
        return "post and poll while another device is revoked, p99";
    }

    @Override
    public String unit() {
        return "ns";
    }

    @Override
    public String baseline() {
        return "the same without revocation";
    }

    @Override
    public Goal goal() {
        return Goal.ratioAtMost(1.5);
    }

    @Override
    public void prepare(Effort chosen) throws Exception {
        effort = chosen;
        platform = new Platform();
        StubDevice device = new StubDevice("stub0", "192.0.2.1");
        platform.plug(device);
        CmId id = new StubIds(platform, device)
                .connected(1, event -> Verdict.DESTROY)
                .get(0);
        queuePair = id.queuePair();
        queue = id.device().createCompletionQueue(16, null);
        completions = queue.createWorkCompletions(16);
        ProtectionDomain domain = queuePair.protectionDomain();
        request = domain.createSendWorkRequest(1)
                .write(4096, 1)
                .segment(domain.registerMemory(ByteBuffer.allocateDirect(64), Set.of(Access.LOCAL_WRITE)), 0, 64);
    }

    @Override
    public double measure() throws Exception {
        samples.clear();
        long spent = 0;
        do {
            StubDevice going = new StubDevice("stub1", "192.0.2.2");
            platform.plug(going);
            new StubIds(platform, going).connected(effort.of(IDS), event -> Verdict.DESTROY);
            long start = System.nanoTime();
            CompletableFuture<Void> removal = CompletableFuture.runAsync(() -> platform.unregister(going));
            while (!removal.isDone()) {
                sample();
            }
            removal.join();
            spent += System.nanoTime() - start;
        } while (spent < effort.slice().toNanos() / 4);
        return samples.quantile(0.99);
    }

    @Override
    public double measureBaseline() throws Exception {
        samples.clear();
        long end = System.nanoTime() + effort.slice().toNanos() / 4;
        do {
            sample();
        } while (System.nanoTime() < end);
        return samples.quantile(0.99);
    }

    private void sample() throws RdmaException {
        long start = System.nanoTime();
        queuePair.postSend(request);
        queue.poll(completions);
        samples.add(System.nanoTime() - start);
    }

    @Override
    public void close() {
        platform.close();
    }
}
