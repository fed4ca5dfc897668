package org.verbena.rdma.examples.mirror;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.verbena.rdma.Access;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.spi.ProviderMemoryRegion;
import org.verbena.rdma.spi.ProviderProtectionDomain;
import org.verbena.rdma.spi.ReceiveRequest;

class MirrorRegionTest {
    private final ProviderProtectionDomain domain = new MirrorDevice("mirror0").createProtectionDomain();
    private final MirrorRegion region;

    MirrorRegionTest() throws RdmaException {
        region = (MirrorRegion)
                domain.registerMemory(ByteBuffer.allocateDirect(64), Set.of(Access.LOCAL_WRITE, Access.REMOTE_WRITE));
    }

    private record Receive(ProviderMemoryRegion into) implements ReceiveRequest {
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
            return into;
        }

        @Override
        public long offset(int index) {
            return 0;
        }

        @Override
        public long length(int index) {
            return 64;
        }

        @Override
        public long totalLength() {
            return 64;
        }
    }

    @Test
    @DisplayName("a receive that was posted into a region is not filled once the region is closed")
    void aClosedRegionIsNotTouched() {
        Segments posted = new Segments(1);
        posted.set(new Receive(region));
        assertThat(posted.allow(Access.LOCAL_WRITE)).isTrue();

        region.close();

        assertThat(posted.allow(Access.LOCAL_WRITE)).isFalse();
    }

    @Test
    @DisplayName("a peer gets nowhere but into the region, and only from its domain")
    void aPeerIsNotTrusted() {
        long address = region.remoteAddress();
        assertThat(region.allows(Access.REMOTE_WRITE, domain, address, 64)).isTrue();
        assertThat(region.allows(Access.REMOTE_READ, domain, address, 64)).isFalse();
        assertThat(region.allows(Access.REMOTE_WRITE, domain, address, 65)).isFalse();
        assertThat(region.allows(Access.REMOTE_WRITE, domain, address + 1, 64)).isFalse();
        assertThat(region.allows(Access.REMOTE_WRITE, domain, address - 1, 64)).isFalse();
        assertThat(region.allows(Access.REMOTE_WRITE, domain, Long.MIN_VALUE, 1))
                .isFalse();
        assertThat(region.allows(Access.REMOTE_WRITE, null, address, 1)).isFalse();
    }
}
