package org.verbena.rdma.provider.iwarp.stream;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.SendOperation;
import org.verbena.rdma.WorkCompletionOperation;
import org.verbena.rdma.WorkCompletionStatus;
import org.verbena.rdma.provider.iwarp.mpa.CrcPolicy;
import org.verbena.rdma.provider.iwarp.peer.Memory;
import org.verbena.rdma.provider.iwarp.peer.Pair;
import org.verbena.rdma.provider.iwarp.peer.Settings;
import org.verbena.rdma.provider.iwarp.peer.Side;
import org.verbena.rdma.spi.CompletionSink;
import org.verbena.rdma.spi.ProviderCompletionQueue;
import org.verbena.rdma.spi.ProviderMemoryRegion;
import org.verbena.rdma.spi.SendRequest;

/** Posting, polling and carrying out work make no garbage, neither on the consumer's thread nor on the loops. */
class AllocationTest {
    private static final int WARM_UP = 12_000;
    private static final int MEASURED = 8_000;

    /** What a few classes that are loaded late, or the measurement itself, may take. */
    private static final long TOLERATED = 60_000;

    /** A request that allocates nothing itself. */
    private static final class FixedRequest implements SendRequest {
        private final SendOperation operation;
        private final ProviderMemoryRegion region;
        private final int length;
        private final Memory remote;

        FixedRequest(SendOperation operation, Memory local, int length, Memory remote) {
            this.operation = operation;
            this.region = local.region();
            this.length = length;
            this.remote = remote;
        }

        @Override
        public long workRequestId() {
            return 1;
        }

        @Override
        public int segmentCount() {
            return 1;
        }

        @Override
        public ProviderMemoryRegion region(int index) {
            return region;
        }

        @Override
        public long offset(int index) {
            return 0;
        }

        @Override
        public long length(int index) {
            return length;
        }

        @Override
        public long totalLength() {
            return length;
        }

        @Override
        public SendOperation operation() {
            return operation;
        }

        @Override
        public long remoteAddress() {
            return remote.address();
        }

        @Override
        public int remoteKey() {
            return remote.key();
        }

        @Override
        public int immediateData() {
            return 0;
        }

        @Override
        public long compareOrAdd() {
            return 0;
        }

        @Override
        public long swap() {
            return 0;
        }

        @Override
        public boolean isSignaled() {
            return true;
        }

        @Override
        public boolean isSolicited() {
            return false;
        }

        @Override
        public boolean isFenced() {
            return false;
        }

        @Override
        public boolean isInline() {
            return false;
        }
    }

    /** Counts what is polled. */
    private static final class Counter implements CompletionSink {
        private int failures;

        @Override
        public void completion(
                long workRequestId,
                WorkCompletionStatus status,
                WorkCompletionOperation operation,
                long byteCount,
                int queuePairNumber,
                int flags,
                int keyOrImmediate,
                int vendorError) {
            if (status != WorkCompletionStatus.SUCCESS) {
                failures++;
            }
        }
    }

    @ParameterizedTest(name = "{0} of {1} bytes, CRC {2}: nothing is allocated per message")
    @CsvSource({
        "SEND,8,OFF",
        "SEND,8,REQUIRED",
        "SEND,10000,OFF",
        "SEND,10000,REQUIRED",
        "WRITE,100,OFF",
        "WRITE,100000,OFF",
        "WRITE,100000,REQUIRED",
        "READ,100,OFF",
        "READ,100000,OFF",
        "READ,100000,REQUIRED"
    })
    void nothingPerMessage(SendOperation operation, int length, CrcPolicy crc) throws Exception {
        try (Pair pair = Pair.connect(Settings.DEFAULTS.withCrc(crc))) {
            Memory local = pair.device().memory(length);
            Memory remote = pair.device().memory(length);
            FixedRequest request = new FixedRequest(operation, local, length, remote);
            FixedRequest receive = new FixedRequest(SendOperation.SEND, remote, length, remote);
            int divisor = length > 1_000 ? 10 : 1;
            run(pair, request, receive, WARM_UP / divisor);

            long[] threads = threads();
            ThreadMXBean bean = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            long[] before = bean.getThreadAllocatedBytes(threads);
            run(pair, request, receive, MEASURED / divisor);
            long[] after = bean.getThreadAllocatedBytes(threads);

            for (int i = 0; i < threads.length; i++) {
                assertThat(after[i] - before[i])
                        .as("thread %s", bean.getThreadInfo(threads[i]).getThreadName())
                        .isLessThan(TOLERATED);
            }
        }
    }

    /** The loops of the device, and the thread of the test, which posts and polls. */
    private static long[] threads() {
        Thread[] all = new Thread[Thread.activeCount() + 10];
        int count = Thread.enumerate(all);
        return Arrays.stream(all, 0, count)
                .filter(thread -> thread.getName().startsWith("verbena-iwarp-test") || thread == Thread.currentThread())
                .mapToLong(AllocationTest::id)
                .toArray();
    }

    @SuppressWarnings("deprecation")
    private static long id(Thread thread) {
        return thread.getId();
    }

    private static void run(Pair pair, FixedRequest request, FixedRequest receive, int count) throws RdmaException {
        Counter counter = new Counter();
        Side client = pair.client();
        Side server = pair.server();
        boolean receives = request.operation() == SendOperation.SEND;
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        for (int i = 0; i < count; i++) {
            if (receives) {
                server.queuePair().postReceive(receive);
            }
            client.queuePair().postSend(request);
            take(client.sends().queue(), counter, end);
            if (receives) {
                take(server.receives().queue(), counter, end);
            }
        }
        assertThat(counter.failures).isZero();
    }

    private static void take(ProviderCompletionQueue queue, CompletionSink sink, long end) throws RdmaException {
        while (queue.poll(sink, 1) == 0) {
            if (System.nanoTime() > end) {
                throw new AssertionError("no completion has come");
            }
            Thread.onSpinWait();
        }
    }
}
