package org.verbena.rdma.core.verbs;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.verbena.rdma.spi.CounterSink;

/** What a provider tells of its counters in one call. Used by one thread. */
public final class ToldCounters implements CounterSink {
    private static final Logger LOGGER = LoggerFactory.getLogger(ToldCounters.class);
    private static final Pattern NAME = Pattern.compile("[a-z0-9_]+(\\.[a-z0-9_]+)*");

    private final Map<String, Long> counters = new LinkedHashMap<>();

    private ToldCounters() {}

    /**
     * Asks a provider for counters; what it throws is logged, and what it has told before counts.
     *
     * @param whose names the object
     * @param provider the call
     * @return what it has told, in its order
     */
    public static Map<String, Long> ask(String whose, Consumer<CounterSink> provider) {
        ToldCounters told = new ToldCounters();
        try {
            provider.accept(told);
        } catch (RuntimeException | Error broken) {
            LOGGER.debug("the provider has failed to tell the counters of {}", whose, broken);
        }
        return Collections.unmodifiableMap(told.counters);
    }

    @Override
    public void count(String name, long value) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "counter \"" + name + "\": use lower case letters, digits and underscores, joined by dots");
        }
        counters.merge(name, value, Long::sum);
    }
}
