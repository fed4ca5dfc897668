package org.verbena.rdma.provider.disni.connection;

import java.nio.ByteBuffer;
import org.verbena.rdma.cm.ConnectionParameters;
import org.verbena.rdma.disni.ConnectionNatives;

/**
 * An event of librdmacm.
 *
 * @param type what has happened
 * @param status a reason, or the negated number of an error
 * @param newId the id of a request, else 0
 * @param parameters what the peer has told
 */
record ConnectionEvent(EventType type, int status, long newId, ConnectionParameters parameters) {
    private static final int MOST_RETRIES = 7;

    /** Copies an event out of the memory that it was read to. */
    static ConnectionEvent read(ByteBuffer record) {
        int length = record.getInt(ConnectionNatives.EVENT_PRIVATE_LENGTH);
        return new ConnectionEvent(
                EventType.of(record.getInt(ConnectionNatives.EVENT_TYPE)),
                record.getInt(ConnectionNatives.EVENT_STATUS),
                record.getLong(ConnectionNatives.EVENT_NEW_ID),
                new ConnectionParameters(
                        record.slice(ConnectionNatives.EVENT_PRIVATE_DATA, length),
                        Math.min(
                                ConnectionParameters.MAXIMUM - 1,
                                record.getInt(ConnectionNatives.EVENT_RESPONDER_RESOURCES)),
                        Math.min(
                                ConnectionParameters.MAXIMUM - 1,
                                record.getInt(ConnectionNatives.EVENT_INITIATOR_DEPTH)),
                        Math.min(MOST_RETRIES, record.getInt(ConnectionNatives.EVENT_RETRIES)),
                        Math.min(MOST_RETRIES, record.getInt(ConnectionNatives.EVENT_RNR_RETRIES))));
    }
}
