package org.verbena.rdma.provider.disni.verbs;

import org.verbena.rdma.WorkCompletionOperation;
import org.verbena.rdma.WorkCompletionStatus;
import org.verbena.rdma.spi.CompletionSink;

/** A ring of completions that were taken from the device and not yet from us. Guarded by who owns it. */
final class Completions {
    private static final WorkCompletionStatus[] STATUSES = WorkCompletionStatus.values();
    private static final WorkCompletionOperation[] OPERATIONS = WorkCompletionOperation.values();
    private static final int WORDS = 5;
    private static final int INT_BITS = 32;
    private static final int BYTE_BITS = 8;
    private static final int BYTE_MASK = 0xFF;

    private long[] ring;
    private int capacity;
    private int oldest;
    private int count;

    Completions(int capacity) {
        this.capacity = capacity;
        ring = new long[WORDS * capacity];
    }

    int count() {
        return count;
    }

    void add(
            long workRequestId,
            WorkCompletionStatus status,
            WorkCompletionOperation operation,
            long byteCount,
            int queuePairNumber,
            int flags,
            int keyOrImmediate,
            int vendorError) {
        if (count == capacity) {
            grow();
        }
        int newest = oldest + count;
        int at = WORDS * (newest < capacity ? newest : newest - capacity);
        ring[at] = workRequestId;
        ring[at + 1] = byteCount;
        ring[at + 2] = (long) queuePairNumber << INT_BITS
                | (long) flags << 2 * BYTE_BITS
                | (long) operation.ordinal() << BYTE_BITS
                | status.ordinal();
        ring[at + 3] = keyOrImmediate;
        ring[at + 4] = vendorError;
        count++;
    }

    // The oldest one, word by word, so that nothing is allocated for it; told to a sink by tell().

    long id() {
        return ring[oldest * WORDS];
    }

    long byteCount() {
        return ring[oldest * WORDS + 1];
    }

    long kind() {
        return ring[oldest * WORDS + 2];
    }

    int keyOrImmediate() {
        return (int) ring[oldest * WORDS + 3];
    }

    int vendorError() {
        return (int) ring[oldest * WORDS + 4];
    }

    void removeOldest() {
        oldest = oldest + 1 == capacity ? 0 : oldest + 1;
        count--;
    }

    static void tell(CompletionSink sink, long id, long byteCount, long kind, int keyOrImmediate, int vendorError) {
        sink.completion(
                id,
                STATUSES[(int) kind & BYTE_MASK],
                OPERATIONS[(int) kind >> BYTE_BITS & BYTE_MASK],
                byteCount,
                (int) (kind >>> INT_BITS),
                (int) kind >> 2 * BYTE_BITS & BYTE_MASK,
                keyOrImmediate,
                vendorError);
    }

    private void grow() {
        long[] larger = new long[2 * ring.length];
        for (int i = 0; i < count; i++) {
            int from = oldest + i;
            System.arraycopy(ring, WORDS * (from < capacity ? from : from - capacity), larger, WORDS * i, WORDS);
        }
        ring = larger;
        capacity *= 2;
        oldest = 0;
    }
}
