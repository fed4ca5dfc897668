package org.verbena.rdma.itests.fuzz;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What the fuzzer starts from: conversations of peers that keep to the rules. */
public final class Seeds {
    private static final int[] STREAM_FLAGS = {
        0, 1, 2, 3, 4, 5, 6, 7, 12, 13, 0x10, 0x15, 0x30, 0x35, 0x50, 0x55, 0x16, 0x36, 0x57
    };

    /** Regions from here on are those from 0 on, with offsets that count from their end. */
    private static final int FROM_END = 8;

    private Seeds() {}

    /**
     * Writes the seeds of both targets into folders.
     *
     * @param arguments folders, in turn for the handshake and for the stream
     * @throws IOException if they cannot be written
     */
    public static void main(String[] arguments) throws IOException {
        for (int i = 0; i < arguments.length; i++) {
            write(Path.of(arguments[i]), i % 2 == 0 ? handshakes() : streams());
        }
    }

    private static void write(Path folder, List<byte[]> seeds) throws IOException {
        Files.createDirectories(folder);
        for (int i = 0; i < seeds.size(); i++) {
            Files.write(folder.resolve("seed-" + i), seeds.get(i));
        }
    }

    static List<byte[]> handshakes() {
        List<byte[]> seeds = new ArrayList<>();
        for (int flags : new int[] {0x1002, 0x5002, 0x9002, 0x4001, 0x0001, 0x3002, 0x2001}) {
            for (int words : new int[] {0x00010001, 0x8004C004, 0xC0040004, 0x3FFF3FFF}) {
                for (int mode : new int[] {0, 1, 2, 0x20, 0x22, 0x30}) {
                    boolean request = (mode & 0x20) == 0;
                    int data = flags >> 12 & 7;
                    ByteBuffer brief = ByteBuffer.allocate(2 + 2 + 4 + data);
                    brief.put((byte) mode)
                            .put((byte) 255)
                            .putShort((short) flags)
                            .putInt(words);
                    seeds.add(brief.array());
                    ByteBuffer seed = ByteBuffer.allocate(2 + 20 + 4 + data);
                    seed.put((byte) (mode | 64)).put((byte) (mode == 1 ? 3 : 255));
                    seed.put(("MPA ID Re" + (request ? "q" : "p") + " Frame").getBytes(StandardCharsets.US_ASCII));
                    seed.putShort((short) flags).putShort((short) (4 + data)).putInt(words);
                    seeds.add(seed.array());
                }
            }
        }
        return seeds;
    }

    static List<byte[]> streams() {
        List<byte[]> seeds = new ArrayList<>();
        for (int flags : STREAM_FLAGS) {
            seeds.add(script(flags, write(0, 0, 100), write(FROM_END, -12, 12), write(2, 0, 1_400)));
            seeds.add(script(flags, posted(9, 0, 200), posted(9, 0, 200), send(3, 1, 100), send(5, 2, 50)));
            seeds.add(script(flags, posted(9, 0, 200), send(4, 1, 100), write(0, 0, 8)));
            seeds.add(script(flags, readRequest(1, 0, 0, 512), readRequest(2, FROM_END + 1, -256, 256)));
            seeds.add(script(flags, write(0, 0, 0), posted(10, 5, 0, 1, 0, 7, 1), readResponse(1, 256)));
            seeds.add(script(flags, write(0, 0, 0), posted(10, 0, 0, 1, 0, 7, 1), posted(10, 3, 2, 4, 0, 7, 1)));
            seeds.add(script(flags, atomic(1, 0, 4, 8), atomic(2, 2, 0, 0), readRequest(3, 0, 0, 8)));
            seeds.add(script(flags, offer(1), readRequest(1, 0, 0, 0), posted(9, 0, 9), immediate(8, 1), posted(12)));
            seeds.add(script(
                    flags,
                    write(0, 0, 0),
                    posted(10, 7, 4, 5, 6),
                    offer(2),
                    readResponse(-1, 0),
                    atomicResponse(1, 1)));
            seeds.add(script(flags, posted(11, 0, 50), readRequest(1, 2, 0, 9_000), posted(11), posted(12)));
            seeds.add(script(flags, terminate()));
        }
        return seeds;
    }

    private static byte[] script(int flags, byte[]... steps) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.write(flags);
        all.write(0x24);
        for (byte[] step : steps) {
            all.writeBytes(step);
        }
        return all.toByteArray();
    }

    /** A step that is no frame. */
    private static byte[] posted(int... octets) {
        byte[] step = new byte[octets.length];
        for (int i = 0; i < octets.length; i++) {
            step[i] = (byte) octets[i];
        }
        return step;
    }

    private static byte[] frame(ByteBuffer ulpdu) {
        int length = ulpdu.capacity();
        return ByteBuffer.allocate(3 + length)
                .put((byte) 4)
                .putShort((short) length)
                .put(ulpdu.array())
                .array();
    }

    private static byte[] tagged(int opcode, int stag, long offset, int payload) {
        return frame(ByteBuffer.allocate(14 + payload)
                .put((byte) 0xC1)
                .put((byte) (0x40 | opcode))
                .putInt(stag)
                .putLong(offset));
    }

    private static byte[] write(int region, long offset, int payload) {
        return tagged(0, region, offset, payload);
    }

    private static byte[] offer(int kind) {
        return tagged(0, 0x7306_0000 | kind, 0x5665_7262_656E_6101L, 0);
    }

    private static byte[] readResponse(int stag, int payload) {
        return tagged(2, stag, 0, payload);
    }

    private static ByteBuffer untagged(int opcode, int queue, int sequence, int payload) {
        return ByteBuffer.allocate(18 + payload)
                .put((byte) 0x41)
                .put((byte) (0x40 | opcode))
                .putInt(0)
                .putInt(queue)
                .putInt(sequence)
                .putInt(0);
    }

    private static byte[] send(int opcode, int sequence, int payload) {
        return frame(untagged(opcode, 0, sequence, payload));
    }

    private static byte[] immediate(int opcode, int sequence) {
        return frame(untagged(opcode, 0, sequence, 8));
    }

    private static byte[] readRequest(int sequence, int region, long offset, int size) {
        return frame(untagged(1, 1, sequence, 28)
                .putInt(1)
                .putLong(0)
                .putInt(size)
                .putInt(region)
                .putLong(offset));
    }

    private static byte[] atomic(int sequence, int code, int region, long offset) {
        return frame(untagged(10, 1, sequence, 52)
                .putInt(code)
                .putInt(sequence)
                .putInt(region)
                .putLong(offset));
    }

    private static byte[] atomicResponse(int sequence, int identifier) {
        return frame(untagged(11, 3, sequence, 12).putInt(identifier));
    }

    private static byte[] terminate() {
        return frame(untagged(7, 2, 1, 4).putInt(0x1202_0000));
    }
}
