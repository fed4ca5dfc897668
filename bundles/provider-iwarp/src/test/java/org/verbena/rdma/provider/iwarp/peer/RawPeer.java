package org.verbena.rdma.provider.iwarp.peer;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/** A peer that says whatever a test wants, byte by byte. Nothing of the provider is used here. */
public final class RawPeer implements AutoCloseable {
    private static final int TIMEOUT_MILLIS = 20_000;

    private final Socket socket;
    private final DataInputStream in;
    private final OutputStream out;
    private boolean crc;

    /** How much of the provider's stream was read, if it has markers, else -1. */
    private long markedPosition = -1;

    private RawPeer(Socket socket) throws IOException {
        this.socket = socket;
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(TIMEOUT_MILLIS);
        in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
        out = socket.getOutputStream();
    }

    public static RawPeer connect(InetSocketAddress to) throws IOException {
        return new RawPeer(new Socket(to.getAddress(), to.getPort()));
    }

    public static RawPeer accept(ServerSocket server) throws IOException {
        server.setSoTimeout(TIMEOUT_MILLIS);
        return new RawPeer(server.accept());
    }

    public Socket socket() {
        return socket;
    }

    public RawPeer withCrc(boolean used) {
        crc = used;
        return this;
    }

    /** Expects markers in the provider's stream from here on. */
    public RawPeer withMarkers() {
        markedPosition = 0;
        return this;
    }

    /** How much of a stream with markers was read. */
    public long markedPosition() {
        return markedPosition;
    }

    public void write(byte[] bytes) throws IOException {
        out.write(bytes);
        out.flush();
    }

    /** An MPA request. */
    public static byte[] request(int flags, byte[] privateData) {
        return setup("MPA ID Req Frame", flags, privateData);
    }

    /** An MPA reply. */
    public static byte[] reply(int flags, byte[] privateData) {
        return setup("MPA ID Rep Frame", flags, privateData);
    }

    private static byte[] setup(String key, int flags, byte[] privateData) {
        return ByteBuffer.allocate(20 + privateData.length)
                .put(key.getBytes(StandardCharsets.US_ASCII))
                .putShort((short) flags)
                .putShort((short) privateData.length)
                .put(privateData)
                .array();
    }

    /** What came as MPA request or reply. */
    public record Setup(String key, int flags, byte[] privateData) {
        public int word(int index) {
            return ByteBuffer.wrap(privateData).getShort(index * 2) & 0xFFFF;
        }
    }

    public Setup readSetup() throws IOException {
        byte[] key = in.readNBytes(16);
        int flags = in.readUnsignedShort();
        byte[] data = in.readNBytes(in.readUnsignedShort());
        return new Setup(new String(key, StandardCharsets.US_ASCII), flags, data);
    }

    /** A frame around a ULPDU, with a CRC if this connection has them. */
    public byte[] frame(byte[] ulpdu) {
        return frame(ulpdu.length, ulpdu, crc);
    }

    public static byte[] frame(int announced, byte[] ulpdu, boolean withCrc) {
        int padding = -(2 + ulpdu.length) & 3;
        ByteBuffer frame = ByteBuffer.allocate(2 + ulpdu.length + padding + 4);
        frame.putShort((short) announced).put(ulpdu);
        int end = frame.capacity() - 4;
        if (withCrc) {
            CRC32C sum = new CRC32C();
            sum.update(frame.array(), 0, end);
            frame.putInt(end, Integer.reverseBytes((int) sum.getValue()));
        }
        return frame.array();
    }

    public void send(byte[] ulpdu) throws IOException {
        write(frame(ulpdu));
    }

    public static byte[] tagged(int control, int rdmap, int stag, long offset, byte[] payload) {
        return ByteBuffer.allocate(14 + payload.length)
                .put((byte) control)
                .put((byte) rdmap)
                .putInt(stag)
                .putLong(offset)
                .put(payload)
                .array();
    }

    public static byte[] write(int stag, long offset, byte[] payload) {
        return tagged(0xC1, 0x40, stag, offset, payload);
    }

    public static byte[] readResponse(int stag, long offset, byte[] payload, boolean last) {
        return tagged(last ? 0xC1 : 0x81, 0x42, stag, offset, payload);
    }

    public static byte[] untagged(
            int control, int rdmap, int stag, int queue, int sequence, int offset, byte[] payload) {
        return ByteBuffer.allocate(18 + payload.length)
                .put((byte) control)
                .put((byte) rdmap)
                .putInt(stag)
                .putInt(queue)
                .putInt(sequence)
                .putInt(offset)
                .put(payload)
                .array();
    }

    public static byte[] send(int sequence, byte[] payload) {
        return untagged(0x41, 0x43, 0, 0, sequence, 0, payload);
    }

    public static byte[] readRequest(
            int sequence, int sinkStag, long sinkOffset, int size, int sourceStag, long sourceOffset) {
        byte[] request = ByteBuffer.allocate(28)
                .putInt(sinkStag)
                .putLong(sinkOffset)
                .putInt(size)
                .putInt(sourceStag)
                .putLong(sourceOffset)
                .array();
        return untagged(0x41, 0x41, 0, 1, sequence, 0, request);
    }

    /** An Atomic Request; code 0 adds, code 2 compares and swaps. */
    public static byte[] atomicRequest(
            int sequence,
            int code,
            int identifier,
            int stag,
            long offset,
            long data,
            long mask,
            long compare,
            long cmask) {
        byte[] request = ByteBuffer.allocate(52)
                .putInt(code)
                .putInt(identifier)
                .putInt(stag)
                .putLong(offset)
                .putLong(data)
                .putLong(mask)
                .putLong(compare)
                .putLong(cmask)
                .array();
        return untagged(0x41, 0x4A, 0, 1, sequence, 0, request);
    }

    /** An Atomic Request that adds 1. */
    public static byte[] fetchAdd(int sequence, int identifier, int stag, long offset) {
        return atomicRequest(sequence, 0, identifier, stag, offset, 1, 0, 0, -1);
    }

    public static byte[] atomicResponse(int sequence, int identifier, long value) {
        byte[] response =
                ByteBuffer.allocate(12).putInt(identifier).putLong(value).array();
        return untagged(0x41, 0x4B, 0, 3, sequence, 0, response);
    }

    public static byte[] immediate(int sequence, boolean solicited, int data) {
        byte[] content = ByteBuffer.allocate(8).putInt(data).array();
        return untagged(0x41, solicited ? 0x49 : 0x48, 0, 0, sequence, 0, content);
    }

    /** Reads one frame, checks its form and its CRC, and returns the ULPDU; {@code null} at the end of the stream. */
    public byte[] read() throws IOException {
        if (markedPosition >= 0) {
            return readMarked();
        }
        int length;
        try {
            length = in.readUnsignedShort();
        } catch (EOFException e) {
            return null;
        } catch (SocketException e) {
            return null;
        }
        byte[] ulpdu = in.readNBytes(length);
        byte[] padding = in.readNBytes(-(2 + length) & 3);
        int sum = in.readInt();
        if (crc) {
            CRC32C expected = new CRC32C();
            expected.update(new byte[] {(byte) (length >> 8), (byte) length});
            expected.update(ulpdu);
            expected.update(padding);
            if (Integer.reverseBytes(sum) != (int) expected.getValue()) {
                throw new AssertionError("wrong CRC in a frame of the provider");
            }
        } else if (sum != 0) {
            throw new AssertionError("a CRC although none was agreed");
        }
        return ulpdu;
    }

    private byte[] readMarked() throws IOException {
        ByteArrayOutputStream raw = new ByteArrayOutputStream();
        try {
            takeMarker(raw, -1);
        } catch (EOFException | SocketException e) {
            return null;
        }
        long start = markedPosition;
        int length;
        try {
            length = ByteBuffer.wrap(take(raw, 2, start)).getShort() & 0xFFFF;
        } catch (EOFException | SocketException e) {
            return null;
        }
        byte[] ulpdu = take(raw, length, start);
        take(raw, -(2 + length) & 3, start);
        takeMarker(raw, start);
        CRC32C expected = new CRC32C();
        expected.update(raw.toByteArray());
        int sum = in.readInt();
        markedPosition += 4;
        if (Integer.reverseBytes(sum) != (crc ? (int) expected.getValue() : 0)) {
            throw new AssertionError("wrong CRC in a frame with markers");
        }
        return ulpdu;
    }

    private byte[] take(ByteArrayOutputStream raw, int count, long start) throws IOException {
        byte[] taken = new byte[count];
        for (int i = 0; i < count; i++) {
            takeMarker(raw, start);
            taken[i] = in.readByte();
            raw.write(taken[i]);
            markedPosition++;
        }
        return taken;
    }

    private void takeMarker(ByteArrayOutputStream raw, long start) throws IOException {
        if (markedPosition % 512 == 0) {
            int marker = in.readInt();
            long expected = start < 0 ? 0 : markedPosition - start;
            if (marker != expected) {
                throw new AssertionError("marker " + marker + " instead of " + expected);
            }
            raw.writeBytes(ByteBuffer.allocate(4).putInt(marker).array());
            markedPosition += 4;
        }
    }

    /** Skips frames until a Terminate comes, and returns it; {@code null} if the stream ends without one. */
    public Terminate readTerminate() throws IOException {
        byte[] ulpdu;
        while ((ulpdu = read()) != null) {
            if ((ulpdu[1] & 0x0F) == 7) {
                ByteBuffer buffer = ByteBuffer.wrap(ulpdu);
                int control = buffer.getInt(18);
                byte[] rest = new byte[ulpdu.length - 22];
                buffer.get(22, rest);
                return new Terminate(
                        control >>> 28, control >>> 24 & 0xF, control >>> 16 & 0xFF, control & 0xFFFF, rest);
            }
        }
        return null;
    }

    /** A Terminate as it came. */
    public record Terminate(int layer, int type, int code, int bits, byte[] rest) {
        public String text() {
            return layer + "/" + type + "/" + code;
        }
    }

    /** Reads until the provider has closed. */
    public void readToEnd() throws IOException {
        try {
            while (in.read() >= 0) {
                continue;
            }
        } catch (SocketException e) {
            // Reset: closed as well.
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
