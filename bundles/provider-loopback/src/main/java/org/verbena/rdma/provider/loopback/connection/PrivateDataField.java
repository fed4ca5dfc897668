package org.verbena.rdma.provider.loopback.connection;

import java.nio.ByteBuffer;
import org.verbena.rdma.DeviceAttributes;
import org.verbena.rdma.PrivateDataCarrier;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.cm.ConnectionParameters;

/** The field of a message that private data travels in. */
final class PrivateDataField {
    private final PrivateDataCarrier message;

    PrivateDataField(PrivateDataCarrier message) {
        this.message = message;
    }

    /** Refuses what does not fit. */
    void check(ByteBuffer data, DeviceAttributes sender) throws RdmaException {
        int limit = sender.maxPrivateData(message);
        if (data.remaining() > limit) {
            throw new RdmaException(
                    RdmaError.TOO_LARGE,
                    data.remaining() + " bytes of private data do not fit: a " + message + " carries " + limit);
        }
    }

    /** Returns the data as the receiver sees it. */
    ByteBuffer delivered(ByteBuffer data, DeviceAttributes receiver) {
        int size = receiver.padsPrivateData() ? receiver.maxPrivateData(message) : data.remaining();
        ByteBuffer copy = ByteBuffer.allocate(Math.max(size, data.remaining()));
        copy.put(data.duplicate());
        return copy.rewind().asReadOnlyBuffer();
    }

    /** Returns parameters as the receiver sees them: what the sender starts is what the receiver serves. */
    ConnectionParameters delivered(ConnectionParameters sent, DeviceAttributes receiver) {
        return sent.withPrivateData(delivered(sent.privateData(), receiver))
                .withResources(sent.initiatorDepth(), sent.responderResources());
    }
}
