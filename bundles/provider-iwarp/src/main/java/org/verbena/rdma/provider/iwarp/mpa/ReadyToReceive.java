package org.verbena.rdma.provider.iwarp.mpa;

import org.verbena.rdma.provider.iwarp.wire.MpaSetupFrame;

/**
 * The forms of the message by which the initiator of a peer-to-peer connection tells that it is ready to receive (RFC
 * 6581, section 6), the one that this side likes best first. None of them is seen by a consumer.
 */
public enum ReadyToReceive {
    /** A zero-length RDMA Write. */
    WRITE,
    /** An RDMA Read of zero bytes. */
    READ,
    /** A zero-length Send; it uses up no receive. */
    SEND;

    boolean isIn(int firstWord, int secondWord) {
        return switch (this) {
            case WRITE -> (secondWord & MpaSetupFrame.RTR_WRITE) != 0;
            case READ -> (secondWord & MpaSetupFrame.RTR_READ) != 0;
            case SEND -> (firstWord & MpaSetupFrame.RTR_SEND) != 0;
        };
    }

    int firstWordBit() {
        return this == SEND ? MpaSetupFrame.RTR_SEND : 0;
    }

    int secondWordBit() {
        return switch (this) {
            case WRITE -> MpaSetupFrame.RTR_WRITE;
            case READ -> MpaSetupFrame.RTR_READ;
            case SEND -> 0;
        };
    }
}
