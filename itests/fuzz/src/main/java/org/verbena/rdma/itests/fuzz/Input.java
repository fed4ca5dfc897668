package org.verbena.rdma.itests.fuzz;

import java.util.Arrays;

/** The bytes of the fuzzer, taken one after the other; beyond their end all is zero. */
final class Input {
    private final byte[] bytes;
    private int position;

    Input(byte[] bytes) {
        this.bytes = bytes;
    }

    boolean isOver() {
        return position >= bytes.length;
    }

    int octet() {
        return isOver() ? 0 : bytes[position++] & 0xFF;
    }

    int number() {
        return octet() << 8 | octet();
    }

    /** Some bytes, fewer if there are no more. */
    byte[] take(int count) {
        int end = Math.min(bytes.length, position + count);
        byte[] taken = Arrays.copyOfRange(bytes, Math.min(position, end), end);
        position = end;
        return taken;
    }
}
