package org.verbena.rdma;

import java.util.Set;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Registered memory. Offsets and lengths are in bytes and {@code long}: nothing here stops regions above 2 GiB.
 *
 * <p>When {@link #close()} has returned, or the region was revoked, its memory is not touched any more.
 */
@ProviderType
public interface MemoryRegion extends VerbsObject {
    /**
     * Returns the domain that the region is in.
     *
     * @return the domain
     */
    ProtectionDomain protectionDomain();

    /**
     * Returns how long the region is.
     *
     * @return bytes, at least 1
     */
    long length();

    /**
     * Returns the address by which a peer reaches the first byte: a virtual address on InfiniBand, a tagged offset on
     * iWARP (RFC 5041, section 4.2). The number means nothing locally.
     *
     * @return an unsigned 64-bit number
     */
    long remoteAddress();

    /**
     * Returns the key for remote access: R_Key, STag.
     *
     * @return an unsigned 32-bit number
     */
    int remoteKey();

    /**
     * Returns what may be done to the region.
     *
     * @return an unmodifiable set
     */
    Set<Access> access();
}
