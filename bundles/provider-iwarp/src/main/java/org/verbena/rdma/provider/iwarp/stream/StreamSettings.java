package org.verbena.rdma.provider.iwarp.stream;

import java.time.Duration;

/**
 * How a stream behaves.
 *
 * @param segmentBytes how long a frame may be, from the segment size of TCP
 * @param extensions whether the operations of RFC 7306 are taken from the peer and offered to it
 * @param closeTimeout how long an end in good order may take
 * @param lingerTime how long a last word may take
 * @param pollers whether whoever polls a completion queue serves the streams of its queue pairs meanwhile
 */
public record StreamSettings(
        int segmentBytes, boolean extensions, Duration closeTimeout, Duration lingerTime, boolean pollers) {}
