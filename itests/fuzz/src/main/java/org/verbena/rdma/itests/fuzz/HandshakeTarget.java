package org.verbena.rdma.itests.fuzz;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import org.verbena.rdma.cm.ConnectionParameters;
import org.verbena.rdma.provider.iwarp.mpa.Agreement;
import org.verbena.rdma.provider.iwarp.mpa.CrcPolicy;
import org.verbena.rdma.provider.iwarp.mpa.MpaSettings;
import org.verbena.rdma.provider.iwarp.mpa.Negotiation;
import org.verbena.rdma.provider.iwarp.mpa.SetupFault;
import org.verbena.rdma.provider.iwarp.mpa.SetupFrame;
import org.verbena.rdma.provider.iwarp.mpa.SetupFrameReader;

/**
 * The set-up of a connection, in both roles, with whatever the peer says, in pieces. Nothing but a {@link SetupFault} may
 * come of it; not a byte beyond the frame is read; what is agreed on is within the settings.
 */
public final class HandshakeTarget {
    private static final int MAX_DEPTH = 16;
    private static final int MAX_INPUT = 4_096;
    private static final int MAX_PRIVATE_DATA = 600;
    private static final boolean PLANTED = Boolean.getBoolean("verbena.fuzz.planted");

    private HandshakeTarget() {}

    /** What Jazzer calls. */
    public static void fuzzerTestOneInput(byte[] data) throws IOException {
        Input input = new Input(data);
        int flags = input.octet();
        int piece = 1 + input.octet();
        MpaSettings settings = new MpaSettings(
                CrcPolicy.values()[(flags & 3) % CrcPolicy.values().length],
                (flags & 4) == 0,
                (flags & 8) == 0 ? 2 : 1,
                (flags & 16) != 0,
                MAX_DEPTH,
                Duration.ofSeconds(1),
                Duration.ofSeconds(1),
                Duration.ofSeconds(1));
        Negotiation negotiation = new Negotiation(settings);
        boolean accepting = (flags & 32) == 0;
        byte[] said = said(input, (flags & 64) != 0, accepting);
        FakeChannel channel = new FakeChannel();
        SetupFrameReader reader = new SetupFrameReader(accepting);
        try {
            SetupFrame frame = null;
            for (int from = 0; from < said.length && frame == null; from += piece) {
                channel.feed(said, from, Math.min(piece, said.length - from));
                frame = reader.read(channel);
            }
            if (frame == null) {
                channel.end();
                frame = reader.read(channel);
                check(frame == null, "a frame without its end");
                return;
            }
            roundTrip(frame, said);
            planted(frame);
            if (accepting) {
                accept(negotiation, frame);
            } else {
                connect(negotiation, settings, frame);
            }
        } catch (SetupFault e) {
            check(e.getMessage() != null && e.error() != null, "a fault that does not say what it is");
        }
    }

    /** What the peer says: all of it the fuzzer's, or with a key and a length that are right, to get beyond them. */
    private static byte[] said(Input input, boolean raw, boolean request) {
        if (raw) {
            return input.take(MAX_INPUT);
        }
        byte[] key = ("MPA ID Re" + (request ? "q" : "p") + " Frame").getBytes(StandardCharsets.US_ASCII);
        int flags = input.number();
        byte[] privateData = input.take(MAX_PRIVATE_DATA);
        return ByteBuffer.allocate(key.length + 4 + privateData.length)
                .put(key)
                .putShort((short) flags)
                .putShort((short) privateData.length)
                .put(privateData)
                .array();
    }

    /** A defect that the fuzzer has to find, or it is blind: it lies behind the key, a flag, and two numbers. */
    private static void planted(SetupFrame frame) {
        if (PLANTED && frame.firstWord() >>> 12 == 0xB) {
            if (frame.secondWord() >>> 12 == 0x6) {
                check(frame.privateData().remaining() < 9, "the planted defect");
            }
        }
    }

    /** What was read, and nothing more, is what is written again. */
    private static void roundTrip(SetupFrame frame, byte[] said) {
        ByteBuffer encoded = frame.encode();
        byte[] bytes = new byte[encoded.remaining()];
        encoded.get(bytes);
        check(bytes.length <= said.length && bytes.length <= 20 + 512, "more than was said");
        byte[] start = Arrays.copyOf(said, bytes.length);
        // Before revision 2 the bit of the enhanced parameters has no meaning and is dropped.
        start[16] = bytes[16];
        check(Arrays.equals(bytes, start), "something else than was said");
    }

    private static void accept(Negotiation negotiation, SetupFrame request) throws SetupFault {
        negotiation.checkRequest(request);
        ConnectionParameters told = negotiation.seenFromHere(request);
        check(negotiation.refuse(request, ByteBuffer.allocate(8)).rejects(), "a refusal that is none");
        if (negotiation.mustRefuse(request)) {
            return;
        }
        ConnectionParameters answer = told.withPrivateData(ByteBuffer.allocate(3));
        SetupFrame reply = negotiation.accept(request, answer);
        check(!reply.rejects() && reply.revision() == request.revision(), "a reply that does not fit");
        check(!request.wantsCrc() || reply.wantsCrc(), "a CRC that was asked for is refused");
        checkAgreement(negotiation.accepted(request, reply, answer));
    }

    private static void connect(Negotiation negotiation, MpaSettings settings, SetupFrame reply) throws SetupFault {
        ConnectionParameters asked = ConnectionParameters.defaults().withResources(4, 4);
        SetupFrame request = negotiation.request(asked, settings.revision());
        negotiation.seenFromHere(reply);
        if (!reply.rejects()) {
            Agreement agreement = negotiation.connected(request, reply, asked);
            checkAgreement(agreement);
            check(agreement.crc() || settings.crc() != CrcPolicy.REQUIRED, "no CRC although it is required");
        }
    }

    private static void checkAgreement(Agreement agreement) {
        check(agreement.ird() >= 0 && agreement.ird() <= MAX_DEPTH, "more reads served than there may be");
        check(agreement.ord() >= 0 && agreement.ord() <= MAX_DEPTH, "more reads started than there may be");
    }

    static void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }
}
