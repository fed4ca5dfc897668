package org.verbena.rdma.spi;

import org.osgi.annotation.versioning.ProviderType;

/**
 * Where a provider tells its counters when it is asked for them. Valid during the call that it was handed to, on that
 * thread.
 *
 * <p>A name is words of lower case letters, digits and underscores, joined by dots, what is counted first. Counters only
 * grow while the object lives that they belong to, and are told in the same order each time. Standard names, of which a
 * provider tells what it counts:
 *
 * <table>
 * <caption>Standard counters</caption>
 * <tr><th>name</th><th>counts</th></tr>
 * <tr><td>{@code messages.send.out}, {@code messages.write.out}, {@code messages.read.out},
 *     {@code messages.atomic.out}</td><td>operations that this side has begun and that were carried out</td></tr>
 * <tr><td>{@code messages.send.in}, {@code messages.write.in}, {@code messages.read.in},
 *     {@code messages.atomic.in}</td><td>operations that the peer has begun and that were carried out here</td></tr>
 * <tr><td>{@code bytes.} and the same</td><td>the payload moved by these operations, whichever way it went</td></tr>
 * <tr><td>{@code connections.established}</td><td>connections that have come to carry data</td></tr>
 * <tr><td>{@code errors.crc}</td><td>frames whose checksum was wrong</td></tr>
 * <tr><td>{@code terminates.in.L.T.C}, {@code terminates.out.L.T.C}</td><td>Terminate messages received and sent (RFC
 *     5040, section 4.8), by layer L, one of {@code rdmap}, {@code ddp} and {@code llp}, and by error type T and error
 *     code C as decimal numbers</td></tr>
 * </table>
 *
 * <p>Others are free; a name that several providers have means the same with all of them.
 */
@ProviderType
public interface CounterSink {
    /**
     * Takes a counter. What is told twice in one call is added up.
     *
     * @param name the name
     * @param value the count
     * @throws IllegalArgumentException if the name is not as it has to be
     */
    void count(String name, long value);
}
