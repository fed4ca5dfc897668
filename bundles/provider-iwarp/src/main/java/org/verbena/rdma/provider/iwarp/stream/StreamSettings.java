package org.verbena.rdma.provider.iwarp.stream;

import java.time.Duration;

/**
 * How a stream behaves.
 *
 * @param segmentBytes how long a frame may be, from the segment size of TCP
 * @param closeTimeout how long an end in good order may take
 * @param lingerTime how long a last word may take
 */
public record StreamSettings(int segmentBytes, Duration closeTimeout, Duration lingerTime) {}
