package org.verbena.rdma.launcher;

import java.util.Arrays;
import java.util.Dictionary;
import java.util.Hashtable;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A device that the command line asks for, such as {@code iwarp:eth0=10.0.0.1,fe80::1%eth0}.
 *
 * @param provider the name of the provider
 * @param name the name for the device
 * @param addresses what it serves
 */
record ConfiguredDevice(String provider, String name, List<String> addresses) {
    private static final Pattern FORM = Pattern.compile("([a-z][a-z0-9-]*):([^=,\\s]+)=([^,\\s]+(?:,[^,\\s]+)*)");

    /** What was asked for serves an address that a device of the kernel has too. */
    private static final int BEFORE_WHAT_IS_FOUND = 1;

    ConfiguredDevice {
        addresses = List.copyOf(addresses);
    }

    /** The factory that the provider has for its devices. */
    String factoryPid() {
        return "org.verbena.rdma.provider." + provider;
    }

    Dictionary<String, Object> properties() {
        Dictionary<String, Object> properties = new Hashtable<>();
        properties.put("name", name);
        properties.put("addresses", addresses.toArray(String[]::new));
        properties.put("service.ranking", BEFORE_WHAT_IS_FOUND);
        return properties;
    }

    /** Reads one from the command line. */
    static final class Converter implements ITypeConverter<ConfiguredDevice> {
        @Override
        public ConfiguredDevice convert(String text) {
            Matcher matcher = FORM.matcher(text);
            if (!matcher.matches()) {
                throw new TypeConversionException(
                        "'" + text + "' is not of the form PROVIDER:NAME=ADDRESS[,ADDRESS...]");
            }
            return new ConfiguredDevice(
                    matcher.group(1),
                    matcher.group(2),
                    Arrays.asList(matcher.group(3).split(",")));
        }
    }
}
