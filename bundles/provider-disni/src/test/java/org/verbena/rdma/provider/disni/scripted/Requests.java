package org.verbena.rdma.provider.disni.scripted;

import org.verbena.rdma.SendOperation;
import org.verbena.rdma.spi.ProviderMemoryRegion;
import org.verbena.rdma.spi.ReceiveRequest;
import org.verbena.rdma.spi.SendRequest;

/** Work requests without segments, or with one. */
public final class Requests {
    private Requests() {}

    public static SendRequest send(long id, SendOperation operation, boolean signaled) {
        return new Request(id, operation, signaled, null, 0, 0);
    }

    public static SendRequest send(long id, ProviderMemoryRegion region, long offset, long length) {
        return new Request(id, SendOperation.SEND, true, region, offset, length);
    }

    public static ReceiveRequest receive(long id) {
        return new Request(id, SendOperation.SEND, true, null, 0, 0);
    }

    private record Request(
            long workRequestId,
            SendOperation operation,
            boolean isSignaled,
            ProviderMemoryRegion region,
            long offset,
            long length)
            implements SendRequest {
        @Override
        public int segmentCount() {
            return region == null ? 0 : 1;
        }

        @Override
        public ProviderMemoryRegion region(int index) {
            return region;
        }

        @Override
        public long offset(int index) {
            return offset;
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
        public long remoteAddress() {
            return 0x1000;
        }

        @Override
        public int remoteKey() {
            return 0x55;
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
}
