package org.verbena.rdma.provider.iwarp.mpa;

import java.time.Duration;

/**
 * How this side sets up connections.
 *
 * @param crc what it wants of CRCs
 * @param markers whether it sends markers to peers that want them, or does without such peers
 * @param revision the highest revision that it speaks, 1 or 2
 * @param peerToPeer whether it asks for peer-to-peer set-up when it connects
 * @param maxDepth the most reads that it serves or starts at a time on a connection
 * @param connectTimeout how long it waits for TCP to connect
 * @param replyTimeout how long it waits for a reply
 * @param requestTimeout how long it waits for a request
 */
public record MpaSettings(
        CrcPolicy crc,
        boolean markers,
        int revision,
        boolean peerToPeer,
        int maxDepth,
        Duration connectTimeout,
        Duration replyTimeout,
        Duration requestTimeout) {}
