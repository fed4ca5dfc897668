package org.verbena.rdma.provider.disni.verbs;

import java.util.Set;
import org.verbena.rdma.Access;
import org.verbena.rdma.SendOperation;
import org.verbena.rdma.WorkCompletionOperation;
import org.verbena.rdma.WorkCompletionStatus;
import org.verbena.rdma.spi.SendRequest;

/** The numbers of libibverbs (ibv_post_send(3), ibv_poll_cq(3), ibv_reg_mr(3), ibv_modify_qp(3)). */
final class NativeNumbers {
    /** A queue pair that takes receives. */
    static final int STATE_INITIALIZED = 1;
    /** A queue pair that carries data. */
    static final int STATE_READY = 3;
    /** A queue pair that flushes all that is posted to its send queue. */
    static final int STATE_SEND_ERROR = 5;
    /** A queue pair that flushes all that is posted. */
    static final int STATE_ERROR = 6;

    private static final int ACCESS_LOCAL_WRITE = 1;
    private static final int ACCESS_REMOTE_WRITE = 2;
    private static final int ACCESS_REMOTE_READ = 4;
    private static final int ACCESS_REMOTE_ATOMIC = 8;

    private static final int SEND_FENCE = 1;
    private static final int SEND_SIGNALED = 2;
    private static final int SEND_SOLICITED = 4;
    private static final int SEND_INLINE = 8;

    private static final int RECEIVED_IMMEDIATE = 2;
    private static final int RECEIVED_INVALIDATE = 8;
    private static final int RECEIVE_WRITE_WITH_IMMEDIATE = 129;

    /** By the number of the status. */
    private static final WorkCompletionStatus[] STATUSES = {
        WorkCompletionStatus.SUCCESS,
        WorkCompletionStatus.LOCAL_LENGTH_ERROR,
        WorkCompletionStatus.LOCAL_QUEUE_PAIR_OPERATION_ERROR,
        WorkCompletionStatus.GENERAL,
        WorkCompletionStatus.LOCAL_PROTECTION_ERROR,
        WorkCompletionStatus.FLUSHED,
        WorkCompletionStatus.GENERAL,
        WorkCompletionStatus.BAD_RESPONSE,
        WorkCompletionStatus.LOCAL_ACCESS_ERROR,
        WorkCompletionStatus.REMOTE_INVALID_REQUEST,
        WorkCompletionStatus.REMOTE_ACCESS_ERROR,
        WorkCompletionStatus.REMOTE_OPERATION_ERROR,
        WorkCompletionStatus.RETRY_EXCEEDED,
        WorkCompletionStatus.RECEIVER_NOT_READY_RETRY_EXCEEDED,
        WorkCompletionStatus.GENERAL,
        WorkCompletionStatus.GENERAL,
        WorkCompletionStatus.REMOTE_ABORTED,
        WorkCompletionStatus.GENERAL,
        WorkCompletionStatus.GENERAL,
        WorkCompletionStatus.FATAL,
        WorkCompletionStatus.RETRY_EXCEEDED
    };

    private NativeNumbers() {}

    static int access(Set<Access> access) {
        int number = 0;
        for (Access one : access) {
            number |= switch (one) {
                case LOCAL_WRITE -> ACCESS_LOCAL_WRITE;
                case REMOTE_WRITE -> ACCESS_REMOTE_WRITE;
                case REMOTE_READ -> ACCESS_REMOTE_READ;
                case REMOTE_ATOMIC -> ACCESS_REMOTE_ATOMIC;
            };
        }
        return number;
    }

    static int operation(SendOperation operation) {
        return switch (operation) {
            case WRITE -> 0;
            case WRITE_WITH_IMMEDIATE -> 1;
            case SEND -> 2;
            case SEND_WITH_IMMEDIATE -> 3;
            case READ -> 4;
            case COMPARE_AND_SWAP -> 5;
            case FETCH_AND_ADD -> 6;
            case SEND_WITH_INVALIDATE -> 9;
        };
    }

    /** What the completion of an operation says that was done. */
    static WorkCompletionOperation completed(SendOperation operation) {
        return switch (operation) {
            case SEND, SEND_WITH_IMMEDIATE, SEND_WITH_INVALIDATE -> WorkCompletionOperation.SEND;
            case WRITE, WRITE_WITH_IMMEDIATE -> WorkCompletionOperation.WRITE;
            case READ -> WorkCompletionOperation.READ;
            case COMPARE_AND_SWAP -> WorkCompletionOperation.COMPARE_AND_SWAP;
            case FETCH_AND_ADD -> WorkCompletionOperation.FETCH_AND_ADD;
        };
    }

    static WorkCompletionOperation received(int operation) {
        return operation == RECEIVE_WRITE_WITH_IMMEDIATE
                ? WorkCompletionOperation.RECEIVE_WRITE_WITH_IMMEDIATE
                : WorkCompletionOperation.RECEIVE;
    }

    static int flags(SendRequest request) {
        return (request.isFenced() ? SEND_FENCE : 0)
                | (request.isSignaled() ? SEND_SIGNALED : 0)
                | (request.isSolicited() ? SEND_SOLICITED : 0)
                | (request.isInline() ? SEND_INLINE : 0);
    }

    static WorkCompletionStatus status(int number) {
        return number >= 0 && number < STATUSES.length ? STATUSES[number] : WorkCompletionStatus.GENERAL;
    }

    static boolean hasImmediate(int flags) {
        return (flags & RECEIVED_IMMEDIATE) != 0;
    }

    static boolean hasInvalidated(int flags) {
        return (flags & RECEIVED_INVALIDATE) != 0;
    }
}
