package org.verbena.rdma.rping.sentences;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.cm.CmEvent;
import org.verbena.rdma.cm.CmEventType;
import org.verbena.rdma.cm.CmId;
import org.verbena.rdma.cm.ConnectionParameters;
import org.verbena.rdma.cm.RejectReason;

class EventSentencesTest {
    private static final InetSocketAddress SERVER = new InetSocketAddress("127.0.0.1", 7174);

    @Test
    void namesTheServerThatNobodyListensOn() {
        assertThat(sentence(CmEventType.REJECTED, RdmaError.CONNECTION_REFUSED, RejectReason.NO_LISTENER))
                .isEqualTo("nobody listens on 127.0.0.1 port 7174");
    }

    @Test
    void namesTheDeviceThatWasRemoved() {
        assertThat(sentence(CmEventType.DEVICE_REMOVAL, RdmaError.SUCCESS, null))
                .isEqualTo("device lo was removed");
    }

    @Test
    void saysWhyAnAddressWasNotResolved() {
        assertThat(sentence(CmEventType.ADDR_ERROR, RdmaError.TIMED_OUT, null))
                .isEqualTo("no device leads to 127.0.0.1: timed out");
    }

    @ParameterizedTest
    @EnumSource
    void hasASentenceForEachEvent(CmEventType type) {
        assertThat(sentence(type, RdmaError.SUCCESS, null)).isNotBlank().doesNotContain("null");
    }

    @ParameterizedTest
    @EnumSource
    void hasASentenceForEachReason(RejectReason reason) {
        assertThat(sentence(CmEventType.REJECTED, RdmaError.CONNECTION_REFUSED, reason))
                .contains("127.0.0.1 port 7174");
    }

    private static String sentence(CmEventType type, RdmaError status, RejectReason reason) {
        return EventSentences.of(new Event(type, status, reason), SERVER, "lo");
    }

    private record Event(CmEventType type, RdmaError status, RejectReason rejectReason) implements CmEvent {
        @Override
        public CmId id() {
            return null;
        }

        @Override
        public CmId listener() {
            return null;
        }

        @Override
        public ConnectionParameters parameters() {
            return ConnectionParameters.defaults();
        }

        @Override
        public ByteBuffer privateData() {
            return ByteBuffer.allocate(0);
        }
    }
}
