package org.verbena.rdma.monitor;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A device.
 *
 * @param number tells it from all other devices of this core, also from those of its name; it keeps it while its provider
 *     offers it
 * @param name the name
 * @param provider the name of its provider
 * @param transport the transport, a lower case word
 * @param guid the GUID as 16 hexadecimal digits, empty where there is none
 * @param addresses the addresses that it serves
 * @param shadowed those of its addresses that another device serves
 * @param link the link state in lower case
 * @param condition what core does with it
 * @param detail why it is not present, or what is wrong with it, or empty
 * @param ids how many ids are bound to it
 * @param verbsObjects how many objects are open on it, by kind in lower case words
 * @param counters what the provider has counted since the device was opened, in its order. A name is words of lower case
 *     letters, digits and underscores, joined by dots; those of operations are {@code messages.} or {@code bytes.}, then
 *     {@code send.}, {@code write.}, {@code read.} or {@code atomic.}, then {@code out} for what this side has begun, or
 *     {@code in} for what the peer has; others are {@code connections.established}, {@code errors.crc}, and
 *     {@code terminates.} with {@code in} or {@code out}, layer, error type and error code
 */
public record DeviceSnapshot(
        long number,
        String name,
        String provider,
        String transport,
        String guid,
        List<String> addresses,
        List<String> shadowed,
        String link,
        Condition condition,
        String detail,
        int ids,
        Map<String, Integer> verbsObjects,
        Map<String, Long> counters) {
    /** What core does with a device. */
    public enum Condition {
        /** It serves. */
        PRESENT,
        /** It is being removed. */
        REMOVING,
        /** It was taken out by {@code unplug}. */
        UNPLUGGED,
        /** The provider could not open it. */
        FAILED,
        /** A call into its provider did not come back; it is never touched again. */
        ABANDONED
    }

    /**
     * Copies the lists.
     *
     * @param number tells it from all other devices of this core
     * @param name the name
     * @param provider the name of its provider
     * @param transport the transport, a lower case word
     * @param guid the GUID as 16 hexadecimal digits, empty where there is none
     * @param addresses the addresses that it serves
     * @param shadowed those of its addresses that another device serves
     * @param link the link state in lower case
     * @param condition what core does with it
     * @param detail why it is not present, or what is wrong with it, or empty
     * @param ids how many ids are bound to it
     * @param verbsObjects how many objects are open on it, by kind in lower case words
     * @param counters what the provider has counted since the device was opened, in its order
     */
    public DeviceSnapshot {
        addresses = List.copyOf(addresses);
        shadowed = List.copyOf(shadowed);
        verbsObjects = Map.copyOf(verbsObjects);
        counters = Collections.unmodifiableMap(new LinkedHashMap<>(counters));
    }
}
