package org.verbena.rdma.provider.iwarp.wire;

/**
 * Why a stream is terminated: layer, error type and error code (RFC 5040, section 4.8, figure 10; RFC 5041, section 7;
 * RFC 5044, section 8; RFC 6581, section 9).
 */
public enum TerminateCode {
    LOCAL_CATASTROPHIC(0, 0, 0x00),
    INVALID_STAG(0, 1, 0x00),
    BASE_OR_BOUNDS(0, 1, 0x01),
    ACCESS_RIGHTS(0, 1, 0x02),
    STAG_NOT_ASSOCIATED(0, 1, 0x03),
    TAGGED_OFFSET_WRAP(0, 1, 0x04),
    STAG_CANNOT_BE_INVALIDATED(0, 1, 0x09),
    INVALID_RDMAP_VERSION(0, 2, 0x05),
    UNEXPECTED_OPCODE(0, 2, 0x06),
    CATASTROPHIC_STREAM(0, 2, 0x07),
    CATASTROPHIC_GLOBAL(0, 2, 0x08),
    DDP_LOCAL_CATASTROPHIC(1, 0, 0x00),
    TAGGED_INVALID_STAG(1, 1, 0x00),
    TAGGED_BASE_OR_BOUNDS(1, 1, 0x01),
    TAGGED_STAG_NOT_ASSOCIATED(1, 1, 0x02),
    TAGGED_OFFSET_WRAPS(1, 1, 0x03),
    TAGGED_INVALID_DDP_VERSION(1, 1, 0x04),
    UNTAGGED_INVALID_QUEUE_NUMBER(1, 2, 0x01),
    UNTAGGED_NO_BUFFER(1, 2, 0x02),
    UNTAGGED_MESSAGE_SEQUENCE_NUMBER(1, 2, 0x03),
    UNTAGGED_MESSAGE_OFFSET(1, 2, 0x04),
    UNTAGGED_MESSAGE_TOO_LONG(1, 2, 0x05),
    UNTAGGED_INVALID_DDP_VERSION(1, 2, 0x06),
    MPA_CONNECTION_LOST(2, 0, 0x01),
    MPA_CRC(2, 0, 0x02),
    MPA_FRAME_START(2, 0, 0x03),
    MPA_INVALID_SETUP_FRAME(2, 0, 0x04),
    MPA_LOCAL_CATASTROPHIC(2, 0, 0x05),
    MPA_INSUFFICIENT_IRD(2, 0, 0x06),
    MPA_NO_MATCHING_RTR(2, 0, 0x07);

    private static final TerminateCode[] ALL = values();

    private final int layer;
    private final int type;
    private final int code;

    TerminateCode(int layer, int type, int code) {
        this.layer = layer;
        this.type = type;
        this.code = code;
    }

    /** The code whose {@link #value()} this is, or {@code null} if it is none of these. */
    public static TerminateCode of(int value) {
        for (TerminateCode code : ALL) {
            if (code.value() == value) {
                return code;
            }
        }
        return null;
    }

    /** The layer: 0 RDMAP, 1 DDP, 2 what is below. */
    public int layer() {
        return layer;
    }

    /** The error type, 4 bits. */
    public int type() {
        return type;
    }

    /** The error code, 8 bits. */
    public int code() {
        return code;
    }

    /** Layer, type and code as the upper half of the terminate control carries them. */
    public int value() {
        return layer << 12 | type << 8 | code;
    }

    /** Whether the offending segment belongs into the Terminate; below DDP there is none that could be trusted. */
    public boolean showsSegment() {
        return layer != 2 && type != 0;
    }
}
