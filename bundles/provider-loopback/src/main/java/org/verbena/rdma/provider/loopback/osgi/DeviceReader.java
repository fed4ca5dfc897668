package org.verbena.rdma.provider.loopback.osgi;

import java.lang.reflect.Array;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Dictionary;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.osgi.framework.Constants;
import org.osgi.service.cm.ConfigurationException;
import org.verbena.rdma.LinkState;
import org.verbena.rdma.provider.loopback.AddressRange;
import org.verbena.rdma.provider.loopback.DeviceConfiguration;
import org.verbena.rdma.provider.loopback.DeviceLimits;
import org.verbena.rdma.provider.loopback.LoopbackAttributes;
import org.verbena.rdma.provider.loopback.connection.Timeouts;

/** Reads one configuration. Values may have come from a file, so text is taken for numbers too. */
final class DeviceReader {
    static final String NAME = "name";
    static final String ADDRESSES = "addresses";
    static final String LINK = "link";

    /** Nothing that could be taken for the name of a host. */
    private static final Pattern ADDRESS_LITERAL = Pattern.compile("[0-9.]+|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");

    private static final int MAX_RESOURCES = 254;

    private final String pid;
    private final Dictionary<String, ?> properties;

    DeviceReader(String pid, Dictionary<String, ?> properties) {
        this.pid = pid;
        this.properties = properties;
    }

    DeviceConfiguration read() throws ConfigurationException {
        String name = name();
        DeviceConfiguration configuration;
        try {
            configuration = DeviceConfiguration.of(name, addresses().toArray(InetAddress[]::new));
        } catch (IllegalArgumentException badName) {
            throw new ConfigurationException(NAME, badName.getMessage(), badName);
        }
        return configuration
                .withLinkState(linkState())
                .withRanking((int) number(Constants.SERVICE_RANKING, 0, Integer.MIN_VALUE, Integer.MAX_VALUE))
                .withAttributes(attributes(configuration.attributes()))
                .withTimeouts(timeouts());
    }

    private LoopbackAttributes attributes(LoopbackAttributes defaults) throws ConfigurationException {
        return defaults.withLimits(limits(DeviceLimits.DEFAULTS))
                .withPrivateData(
                        count("private.data.request", 0, defaults.requestData()),
                        count("private.data.reply", 0, defaults.replyData()),
                        count("private.data.reject", 0, defaults.rejectData()),
                        truth("private.data.padded"));
    }

    private DeviceLimits limits(DeviceLimits defaults) throws ConfigurationException {
        return new DeviceLimits(
                count("max.queue.pairs", 1, defaults.queuePairs()),
                count("max.work.requests", 1, defaults.workRequests()),
                count("max.segments", 1, defaults.segments()),
                count("max.completion.queue.entries", 1, defaults.completionQueueEntries()),
                number("max.message.size", defaults.messageSize(), 1, Long.MAX_VALUE),
                defaults.regionSize(),
                count("max.inline.data", 0, defaults.inlineData()),
                (int) number("max.responder.resources", defaults.responderResources(), 0, MAX_RESOURCES),
                (int) number("max.initiator.depth", defaults.initiatorDepth(), 0, MAX_RESOURCES));
    }

    private Timeouts timeouts() throws ConfigurationException {
        Timeouts defaults = Timeouts.DEFAULTS;
        return new Timeouts(
                time("timeout.connect", 1, defaults.connect()),
                time("timeout.disconnect", 1, defaults.disconnect()),
                time("timeout.receiver.not.ready", 1, defaults.receiverNotReady()),
                time("timewait", 0, defaults.timewait()));
    }

    private String name() {
        String given = text(NAME, "");
        return given.isEmpty() ? pid.substring(pid.lastIndexOf('~') + 1) : given;
    }

    private List<InetAddress> addresses() throws ConfigurationException {
        List<InetAddress> addresses = new ArrayList<>();
        for (String literal : texts(ADDRESSES)) {
            addresses.add(address(literal));
        }
        return addresses;
    }

    private static InetAddress address(String literal) throws ConfigurationException {
        InetAddress address;
        try {
            if (!ADDRESS_LITERAL.matcher(literal).matches()) {
                throw new UnknownHostException(literal);
            }
            address = InetAddress.getByName(literal);
        } catch (UnknownHostException e) {
            throw new ConfigurationException(ADDRESSES, "'" + literal + "' is no IPv4 or IPv6 address", e);
        }
        if (!AddressRange.contains(address)) {
            throw new ConfigurationException(
                    ADDRESSES, literal + " may belong to a real network: take one of 198.18.0.0/15 or 100::/64");
        }
        return address;
    }

    private LinkState linkState() throws ConfigurationException {
        String given = text(LINK, "up");
        return switch (given.toLowerCase(Locale.ROOT)) {
            case "up" -> LinkState.UP;
            case "down" -> LinkState.DOWN;
            default -> throw new ConfigurationException(LINK, "'" + given + "' is neither up nor down");
        };
    }

    private int count(String property, int least, int otherwise) throws ConfigurationException {
        return (int) number(property, otherwise, least, Integer.MAX_VALUE);
    }

    private Duration time(String property, int least, Duration otherwise) throws ConfigurationException {
        return Duration.ofMillis(number(property, otherwise.toMillis(), least, Integer.MAX_VALUE));
    }

    private long number(String property, long otherwise, long least, long most) throws ConfigurationException {
        String given = text(property, "");
        long number;
        try {
            number = given.isEmpty() ? otherwise : Long.parseLong(given);
        } catch (NumberFormatException e) {
            throw new ConfigurationException(property, "'" + given + "' is no whole number", e);
        }
        if (number < least || number > most) {
            throw new ConfigurationException(property, number + " is not in " + least + " to " + most);
        }
        return number;
    }

    private boolean truth(String property) {
        return Boolean.parseBoolean(text(property, "false"));
    }

    private String text(String property, String otherwise) {
        Object value = properties.get(property);
        return value == null ? otherwise : value.toString().trim();
    }

    /** Takes an array, a collection, or one text with commas. */
    private List<String> texts(String property) {
        Object value = properties.get(property);
        List<String> texts = new ArrayList<>();
        if (value instanceof Collection<?> several) {
            several.forEach(one -> texts.add(one.toString().trim()));
        } else if (value != null && value.getClass().isArray()) {
            for (int index = 0; index < Array.getLength(value); index++) {
                texts.add(Array.get(value, index).toString().trim());
            }
        } else if (value != null && !value.toString().isBlank()) {
            for (String one : value.toString().split(",")) {
                texts.add(one.trim());
            }
        }
        return texts;
    }
}
