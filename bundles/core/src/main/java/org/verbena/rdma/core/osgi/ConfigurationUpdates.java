package org.verbena.rdma.core.osgi;

import java.time.Duration;
import java.util.Dictionary;
import org.osgi.service.cm.ConfigurationException;
import org.osgi.service.cm.ManagedService;
import org.verbena.rdma.core.Core;
import org.verbena.rdma.core.CoreConfiguration;

/** Takes the configuration from Config Admin and sets it. A bad value changes nothing and names its key. Has no state. */
final class ConfigurationUpdates implements ManagedService {
    private final Core core;

    ConfigurationUpdates(Core core) {
        this.core = core;
    }

    @Override
    public void updated(Dictionary<String, ?> properties) throws ConfigurationException {
        core.configure(properties == null ? CoreConfiguration.DEFAULTS : read(properties));
    }

    static CoreConfiguration read(Dictionary<String, ?> properties) throws ConfigurationException {
        CoreConfiguration defaults = CoreConfiguration.DEFAULTS;
        return new CoreConfiguration(
                millis(properties, "removal.deadline.ms", defaults.removalDeadline()),
                millis(properties, "service.deadline.ms", defaults.serviceDeadline()),
                millis(properties, "hung.limit.ms", defaults.hungLimit()),
                (int) number(properties, "blocked.callbacks", defaults.blockedCallbacks(), Integer.MAX_VALUE),
                millis(properties, "blocked.after.ms", defaults.blockedAfter()),
                millis(properties, "listen.retry.ms", defaults.listenRetry()));
    }

    private static Duration millis(Dictionary<String, ?> properties, String key, Duration otherwise)
            throws ConfigurationException {
        return Duration.ofMillis(number(properties, key, otherwise.toMillis(), Long.MAX_VALUE / 1_000_000));
    }

    private static long number(Dictionary<String, ?> properties, String key, long otherwise, long most)
            throws ConfigurationException {
        Object value = properties.get(key);
        if (value == null) {
            return otherwise;
        }
        long number;
        try {
            number = Long.parseLong(value.toString().trim());
        } catch (NumberFormatException noNumber) {
            throw new ConfigurationException(key, "must be a whole number, not '" + value + "'", noNumber);
        }
        if (number < 1 || number > most) {
            throw new ConfigurationException(key, "must be from 1 to " + most + ", not " + number);
        }
        return number;
    }
}
