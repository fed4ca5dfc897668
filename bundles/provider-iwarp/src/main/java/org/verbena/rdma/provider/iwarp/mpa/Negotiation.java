package org.verbena.rdma.provider.iwarp.mpa;

import java.nio.ByteBuffer;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.cm.ConnectionParameters;
import org.verbena.rdma.provider.iwarp.wire.MpaSetupFrame;
import org.verbena.rdma.provider.iwarp.wire.TerminateCode;

/**
 * What to say in the set-up of a connection, and what follows from what the peer says (RFC 5044, section 7.1; RFC 6581).
 * Immutable.
 */
public final class Negotiation {
    private final MpaSettings settings;

    public Negotiation(MpaSettings settings) {
        this.settings = settings;
    }

    /** The request of a connecting side, in a revision that it speaks. */
    public SetupFrame request(ConnectionParameters parameters, int revision) {
        int flags = revision | (settings.crc() == CrcPolicy.OFF ? 0 : MpaSetupFrame.CRC);
        int first = 0;
        int second = 0;
        if (revision >= 2) {
            flags |= MpaSetupFrame.ENHANCED;
            first = depth(parameters.responderResources());
            second = depth(parameters.initiatorDepth());
            if (settings.peerToPeer()) {
                first |= MpaSetupFrame.PEER_TO_PEER;
                for (ReadyToReceive form : ReadyToReceive.values()) {
                    first |= form.firstWordBit();
                    second |= form.secondWordBit();
                }
            }
        }
        return new SetupFrame(true, flags, first, second, parameters.privateData());
    }

    /** Checks a request that came in. */
    public void checkRequest(SetupFrame request) throws SetupFault {
        if (request.revision() < 1 || request.revision() > settings.revision()) {
            throw new SetupFault(RdmaError.PROTOCOL, "the peer speaks MPA revision " + request.revision());
        }
    }

    /** Whether a request asks for something that this side shall not do, so that it has to be refused. */
    public boolean mustRefuse(SetupFrame request) {
        return request.wantsMarkers() && !settings.markers();
    }

    /** What a frame of the peer tells, seen from here: what it starts is what this side serves. */
    public ConnectionParameters seenFromHere(SetupFrame frame) {
        return ConnectionParameters.defaults()
                .withPrivateData(frame.privateData())
                .withResources(fromDepth(frame.ord()), fromDepth(frame.ird()));
    }

    /** The reply that accepts a request. */
    public SetupFrame accept(SetupFrame request, ConnectionParameters parameters) {
        int flags = request.revision();
        if (request.wantsCrc() || settings.crc() != CrcPolicy.OFF) {
            flags |= MpaSetupFrame.CRC;
        }
        int first = 0;
        int second = 0;
        if (request.isEnhanced()) {
            flags |= MpaSetupFrame.ENHANCED;
            first = depth(parameters.responderResources());
            // More than the peer serves would not be started anyway, and a strict peer would end the connection.
            second = ordFor(request, parameters) & MpaSetupFrame.DEPTH_MASK;
            if (request.isPeerToPeer()) {
                ReadyToReceive form = chosenForm(request);
                first |= MpaSetupFrame.PEER_TO_PEER | form.firstWordBit();
                second |= form.secondWordBit();
            }
        }
        return new SetupFrame(false, flags, first, second, parameters.privateData());
    }

    /** The reply that refuses a request. */
    public SetupFrame refuse(SetupFrame request, ByteBuffer privateData) {
        int flags = request.revision() | MpaSetupFrame.REJECT | (request.wantsCrc() ? MpaSetupFrame.CRC : 0);
        if (request.isEnhanced()) {
            flags |= MpaSetupFrame.ENHANCED;
        }
        int first = request.secondWord() & MpaSetupFrame.DEPTH_MASK;
        int second = request.firstWord() & MpaSetupFrame.DEPTH_MASK;
        return new SetupFrame(false, flags, first, second, privateData);
    }

    /** What the accepting side has agreed to with its reply. */
    public Agreement accepted(SetupFrame request, SetupFrame reply, ConnectionParameters parameters) {
        return new Agreement(
                reply.wantsCrc(),
                request.wantsMarkers(),
                actual(parameters.responderResources()),
                ordFor(request, parameters),
                false,
                request.isPeerToPeer() ? chosenForm(request) : null);
    }

    /** What the connecting side has agreed to with the peer's reply, which does not reject. */
    public Agreement connected(SetupFrame request, SetupFrame reply, ConnectionParameters parameters)
            throws SetupFault {
        if (reply.revision() < 1 || reply.revision() > request.revision()) {
            throw new SetupFault(RdmaError.PROTOCOL, "the peer answers with MPA revision " + reply.revision());
        }
        if (reply.wantsMarkers() && !settings.markers()) {
            throw new SetupFault(RdmaError.PROTOCOL, "the peer wants markers, which are switched off here");
        }
        if (settings.crc() == CrcPolicy.REQUIRED && !reply.wantsCrc()) {
            throw new SetupFault(RdmaError.PROTOCOL, "the peer does not confirm the CRCs that are required here");
        }
        return new Agreement(
                request.wantsCrc() || reply.wantsCrc(),
                reply.wantsMarkers(),
                ird(reply, parameters),
                ordFor(reply, parameters),
                true,
                form(request, reply));
    }

    /** How many reads this side starts at a time with a peer that has said so. */
    private int ordFor(SetupFrame ofPeer, ConnectionParameters parameters) {
        int ord = actual(parameters.initiatorDepth());
        return ofPeer.ird() < 0 ? ord : Math.min(ord, ofPeer.ird());
    }

    /** This side can serve more than it has offered: memory for the device's maximum is little (RFC 6581, section 9.1). */
    private int ird(SetupFrame reply, ConnectionParameters parameters) throws SetupFault {
        int ird = actual(parameters.responderResources());
        if (reply.ord() > settings.maxDepth()) {
            throw new SetupFault(
                    TerminateCode.MPA_INSUFFICIENT_IRD,
                    "the peer wants to start " + reply.ord() + " reads at a time, more than the device serves");
        }
        return Math.max(ird, reply.ord());
    }

    private static ReadyToReceive form(SetupFrame request, SetupFrame reply) throws SetupFault {
        if (!request.isPeerToPeer() || !reply.isPeerToPeer()) {
            return null;
        }
        for (ReadyToReceive form : ReadyToReceive.values()) {
            if (request.offers(form) && reply.offers(form)) {
                return form;
            }
        }
        throw new SetupFault(
                TerminateCode.MPA_NO_MATCHING_RTR,
                "the peer takes none of the ready-to-receive messages offered to it");
    }

    /** A peer that offers none is told one nevertheless, and ends the connection if it cannot (RFC 6581, section 9.2). */
    private static ReadyToReceive chosenForm(SetupFrame request) {
        for (ReadyToReceive form : ReadyToReceive.values()) {
            if (request.offers(form)) {
                return form;
            }
        }
        return ReadyToReceive.WRITE;
    }

    private int depth(int resources) {
        return actual(resources) & MpaSetupFrame.DEPTH_MASK;
    }

    private int actual(int resources) {
        return resources == ConnectionParameters.UNKNOWN || resources == ConnectionParameters.MAXIMUM
                ? settings.maxDepth()
                : Math.min(resources, settings.maxDepth());
    }

    private int fromDepth(int depth) {
        return depth < 0 ? ConnectionParameters.UNKNOWN : Math.min(depth, settings.maxDepth());
    }
}
