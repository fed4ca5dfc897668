package org.verbena.rdma.provider.iwarp.mpa;

/**
 * What the two sides of a connection have agreed on, seen from here.
 *
 * @param crc whether frames carry a CRC
 * @param markers whether the peer wants markers in what it gets; this side never does
 * @param ird how many reads of the peer this side serves at a time
 * @param ord how many reads this side starts at a time
 * @param initiator whether this side sends first
 * @param readyToReceive the message that the initiator sends first, or {@code null} for none
 */
public record Agreement(
        boolean crc, boolean markers, int ird, int ord, boolean initiator, ReadyToReceive readyToReceive) {}
