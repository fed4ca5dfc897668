package org.verbena.rdma.provider.iwarp.activation;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Dictionary;
import java.util.Hashtable;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.osgi.service.cm.ConfigurationException;
import org.verbena.rdma.provider.iwarp.device.DeviceSettings;
import org.verbena.rdma.provider.iwarp.device.KeepAlive;
import org.verbena.rdma.provider.iwarp.device.SocketBuffers;
import org.verbena.rdma.provider.iwarp.mpa.CrcPolicy;
import org.verbena.rdma.provider.iwarp.mpa.MpaSettings;

/**
 * A configuration that was read and checked. The keys are those of {@link Configuration}, which shows them to people.
 *
 * @param name the name of the device, may be empty
 * @param interfacePattern the name of the interface or a pattern, may be empty; without addresses this means the loopback
 *     interface
 * @param addresses the addresses to have, empty for all of the interface
 * @param ranking the service ranking
 * @param settings how the device behaves
 */
record DeviceConfiguration(
        String name, String interfacePattern, List<InetAddress> addresses, int ranking, DeviceSettings settings) {
    private static final int MIN_SEGMENT = 512;
    private static final int MAX_SEGMENT = 65_496;
    private static final int MAX_READS = 128;
    private static final int MAX_BUFFER = 1 << 30;
    private static final int MAX_PRIVATE_DATA = 508;
    private static final int DEFAULT_LOOPS = 2;
    private static final Pattern ADDRESS = Pattern.compile("[0-9.]+|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*(%\\w+)?");

    /** What holds when nothing is set. */
    static DeviceConfiguration defaults() {
        try {
            return read(new Hashtable<>());
        } catch (ConfigurationException e) {
            throw new IllegalStateException(e);
        }
    }

    static DeviceConfiguration read(Dictionary<String, ?> properties) throws ConfigurationException {
        MpaSettings mpa = new MpaSettings(
                crc(properties),
                bool(properties, "markers", true),
                number(properties, "revision", 2, 1, 2),
                bool(properties, "peerToPeer", true),
                number(properties, "maxReads", MAX_READS, 0, MAX_READS),
                time(properties, "connectTimeout", 20_000),
                time(properties, "replyTimeout", 10_000),
                time(properties, "requestTimeout", 5_000));
        int segment = number(properties, "segmentSize", 0, 0, MAX_SEGMENT);
        if (segment > 0 && segment < MIN_SEGMENT) {
            throw new ConfigurationException("segmentSize", "must be 0 or at least " + MIN_SEGMENT);
        }
        int loops = number(properties, "loopThreads", 0, 0, 1_024);
        DeviceSettings settings = new DeviceSettings(
                mpa,
                time(properties, "closeTimeout", 5_000),
                time(properties, "lingerTime", 2_000),
                new KeepAlive(Duration.ofSeconds(number(properties, "keepAlive", 0, 0, 32_767))),
                new SocketBuffers(
                        number(properties, "sendBuffer", 0, 0, MAX_BUFFER),
                        number(properties, "receiveBuffer", 0, 0, MAX_BUFFER)),
                segment,
                loops == 0 ? defaultLoops() : loops,
                Duration.ofNanos(1_000L * number(properties, "spin", 0, 0, Integer.MAX_VALUE)),
                bool(properties, "pollers", false),
                bool(properties, "extensions", true),
                number(properties, "maxPrivateData", 251, 0, MAX_PRIVATE_DATA),
                number(properties, "maxQueuePairs", 65_536, 1, 1 << 23),
                number(properties, "maxHandshakes", 1_024, 1, 1 << 20));
        String name = text(properties, "name");
        if (name.chars().anyMatch(Character::isWhitespace)) {
            throw new ConfigurationException("name", "must not contain spaces: \"" + name + "\"");
        }
        String pattern = text(properties, "interface");
        List<InetAddress> addresses = addresses(properties);
        int ranking = number(properties, "service.ranking", 0, Integer.MIN_VALUE, Integer.MAX_VALUE);
        return new DeviceConfiguration(name, pattern, addresses, ranking, settings);
    }

    private static int defaultLoops() {
        return Math.max(1, Math.min(DEFAULT_LOOPS, Runtime.getRuntime().availableProcessors()));
    }

    private static CrcPolicy crc(Dictionary<String, ?> properties) throws ConfigurationException {
        String value = text(properties, "crc");
        try {
            return value.isEmpty() ? CrcPolicy.PREFERRED : CrcPolicy.valueOf(value.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new ConfigurationException("crc", "must be required, preferred or off, not " + value, e);
        }
    }

    private static String text(Dictionary<String, ?> properties, String key) {
        Object value = properties.get(key);
        return value == null ? "" : value.toString().trim();
    }

    private static boolean bool(Dictionary<String, ?> properties, String key, boolean otherwise)
            throws ConfigurationException {
        String value = text(properties, key).toLowerCase(Locale.ROOT);
        return switch (value) {
            case "" -> otherwise;
            case "true" -> true;
            case "false" -> false;
            default -> throw new ConfigurationException(key, "must be true or false, not " + value);
        };
    }

    private static Duration time(Dictionary<String, ?> properties, String key, int otherwise)
            throws ConfigurationException {
        return Duration.ofMillis(number(properties, key, otherwise, 1, Integer.MAX_VALUE));
    }

    private static int number(Dictionary<String, ?> properties, String key, int otherwise, int min, int max)
            throws ConfigurationException {
        String value = text(properties, key);
        if (value.isEmpty()) {
            return otherwise;
        }
        try {
            long number = Long.parseLong(value);
            if (number >= min && number <= max) {
                return (int) number;
            }
        } catch (NumberFormatException e) {
            throw new ConfigurationException(key, "must be a number, not " + value, e);
        }
        throw new ConfigurationException(key, "must be " + min + " to " + max + ", not " + value);
    }

    private static List<InetAddress> addresses(Dictionary<String, ?> properties) throws ConfigurationException {
        List<InetAddress> addresses = new ArrayList<>();
        for (String text : texts(properties.get("addresses"))) {
            // Only literals: a name would be asked of a server, and could mean something else tomorrow.
            if (!ADDRESS.matcher(text).matches()) {
                throw new ConfigurationException("addresses", "must be IP addresses, not " + text);
            }
            try {
                addresses.add(InetAddress.getByName(text));
            } catch (UnknownHostException e) {
                throw new ConfigurationException("addresses", "must be IP addresses, not " + text, e);
            }
        }
        return List.copyOf(addresses);
    }

    private static List<String> texts(Object value) {
        Collection<?> values;
        if (value == null) {
            values = List.of();
        } else if (value instanceof Object[] array) {
            values = Arrays.asList(array);
        } else if (value instanceof Collection<?> collection) {
            values = collection;
        } else {
            values = Arrays.asList(value.toString().split(","));
        }
        return values.stream()
                .map(item -> item.toString().trim())
                .filter(item -> !item.isEmpty())
                .toList();
    }
}
