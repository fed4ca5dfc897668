package org.verbena.rdma.itests.fuzz;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** Puts frames around what the fuzzer makes, and takes apart what the provider sends. Nothing of the provider is used. */
final class Frames {
    private static final int TERMINATE = 7;

    private Frames() {}

    static byte[] around(byte[] ulpdu, boolean crc) {
        int end = 2 + ulpdu.length + (-(2 + ulpdu.length) & 3);
        ByteBuffer frame = ByteBuffer.allocate(end + 4);
        frame.putShort((short) ulpdu.length).put(ulpdu);
        if (crc) {
            frame.putInt(end, checksum(frame.array(), 0, end));
        }
        return frame.array();
    }

    /**
     * Checks what was sent: whole frames, but maybe the last one, with right checksums and known operations.
     *
     * @param whole whether the last frame has to be whole
     * @param extensions whether the operations of RFC 7306 are known
     * @return layer, type and code of the Terminate at the end, or -1
     */
    static int check(byte[] sent, boolean crc, boolean whole, boolean extensions) {
        ByteBuffer all = ByteBuffer.wrap(sent);
        int at = 0;
        while (at + 2 <= sent.length) {
            int length = all.getShort(at) & 0xFFFF;
            int end = at + 2 + length + (-(2 + length) & 3);
            HandshakeTarget.check(length >= 14, "a frame of " + length + " bytes");
            if (end + 4 > sent.length) {
                HandshakeTarget.check(!whole, "a frame that is cut");
                return -1;
            }
            HandshakeTarget.check(
                    all.getInt(end) == (crc ? checksum(sent, at, end - at) : 0), "a frame with a wrong checksum");
            int opcode = sent[at + 3] & 0x0F;
            HandshakeTarget.check(opcode <= (extensions ? 11 : TERMINATE), "a frame with opcode " + opcode);
            at = end + 4;
            if (opcode == TERMINATE) {
                HandshakeTarget.check(at == sent.length, "something behind a Terminate");
                return all.getShort(end - (-(2 + length) & 3) - length + 18) & 0xFFFF;
            }
        }
        HandshakeTarget.check(at == sent.length || !whole, "the start of a frame");
        return -1;
    }

    private static int checksum(byte[] bytes, int from, int count) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, from, count);
        return Integer.reverseBytes((int) crc.getValue());
    }
}
