package org.verbena.rdma.core.verbs;

import java.util.Arrays;
import org.verbena.rdma.WorkCompletionOperation;
import org.verbena.rdma.WorkCompletionStatus;

/**
 * Completions by index, four words each, so that one is put without storing a reference and mostly within one cache
 * line. For one thread at a time.
 */
final class CompletionTable {
    private static final WorkCompletionStatus[] STATUSES = WorkCompletionStatus.values();
    private static final WorkCompletionOperation[] OPERATIONS = WorkCompletionOperation.values();
    private static final int WIDTH = 4;
    private static final int BYTE_COUNT = 1;
    private static final int NUMBERS = 2;
    private static final int REST = 3;
    private static final int LOW_BITS = 32;
    private static final int STATUS_BITS = 24;
    private static final int OPERATION_BITS = 16;
    private static final int BYTE_MASK = 0xFF;
    private static final int FLAGS_MASK = 0xFFFF;

    private long[] words;

    CompletionTable(int capacity) {
        words = new long[Math.multiplyExact(capacity, WIDTH)];
    }

    int capacity() {
        return words.length / WIDTH;
    }

    void grow(int capacity) {
        words = Arrays.copyOf(words, Math.multiplyExact(capacity, WIDTH));
    }

    void put(
            int index,
            long workRequestId,
            WorkCompletionStatus status,
            WorkCompletionOperation operation,
            long byteCount,
            int queuePairNumber,
            int flags,
            int keyOrImmediate,
            int vendorError) {
        int at = index * WIDTH;
        int small = status.ordinal() << STATUS_BITS
                | (operation == null ? 0 : operation.ordinal()) << OPERATION_BITS
                | flags & FLAGS_MASK;
        words[at] = workRequestId;
        words[at + BYTE_COUNT] = byteCount;
        words[at + NUMBERS] = pair(queuePairNumber, keyOrImmediate);
        words[at + REST] = pair(vendorError, small);
    }

    /** Copies one completion to another table. */
    void copy(int index, CompletionTable target, int targetIndex) {
        System.arraycopy(words, index * WIDTH, target.words, targetIndex * WIDTH, WIDTH);
    }

    private static long pair(int high, int low) {
        return (long) high << LOW_BITS | low & 0xFFFF_FFFFL;
    }

    long workRequestId(int index) {
        return words[index * WIDTH];
    }

    long byteCount(int index) {
        return words[index * WIDTH + BYTE_COUNT];
    }

    int queuePairNumber(int index) {
        return (int) (words[index * WIDTH + NUMBERS] >> LOW_BITS);
    }

    int keyOrImmediate(int index) {
        return (int) words[index * WIDTH + NUMBERS];
    }

    int vendorError(int index) {
        return (int) (words[index * WIDTH + REST] >> LOW_BITS);
    }

    WorkCompletionStatus status(int index) {
        return STATUSES[(int) words[index * WIDTH + REST] >> STATUS_BITS & BYTE_MASK];
    }

    WorkCompletionOperation operation(int index) {
        return OPERATIONS[(int) words[index * WIDTH + REST] >> OPERATION_BITS & BYTE_MASK];
    }

    boolean hasFlag(int index, int flag) {
        return ((int) words[index * WIDTH + REST] & flag) != 0;
    }
}
