package org.verbena.rdma.shell.completion;

import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.CommandSessionListener;
import org.apache.felix.service.command.Function;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.verbena.rdma.monitor.DeviceSnapshot;
import org.verbena.rdma.monitor.DeviceSnapshot.Condition;
import org.verbena.rdma.monitor.Monitor;

/**
 * Teaches each session of Felix' own shell (gogo.jline) to complete the arguments of our commands. Such a session keeps
 * what it can complete in a variable, and fills it with the command {@code complete}; other shells have neither.
 */
@Component
public final class Completions implements CommandSessionListener {
    /** The variable of gogo.jline. */
    private static final String COMPLETIONS = ".completions";
    /** Ours, so that a session is taught once. */
    private static final String TAUGHT = ".rdma.completions";

    private static final String PRESENT = "__rdma_devices_present";
    private static final String OUT = "__rdma_devices_out";

    private static final List<String> LESSONS = List.of(
            "-c rdma:devices -d 'lists the devices'",
            "-c rdma:ids -d 'lists the connection ids'",
            "-c rdma:listeners -d 'lists the ids that listen'",
            "-c rdma:unplug -d 'takes a device out' -a '" + PRESENT + "'",
            "-c rdma:plug -d 'puts a device back' -a '" + OUT + "'");

    private static final Logger LOG = LoggerFactory.getLogger(Completions.class);

    private final Monitor monitor;

    @Activate
    public Completions(@Reference Monitor monitor) {
        this.monitor = monitor;
    }

    @Override
    public void beforeExecute(CommandSession session, CharSequence command) {
        if (session.get(COMPLETIONS) instanceof Map && session.get(TAUGHT) == null) {
            session.put(TAUGHT, true);
            teach(session);
        }
    }

    @Override
    public void afterExecute(CommandSession session, CharSequence command, Exception exception) {
        // Nothing to teach.
    }

    @Override
    public void afterExecute(CommandSession session, CharSequence command, Object result) {
        // Nothing to teach.
    }

    private void teach(CommandSession session) {
        session.put(PRESENT, names(EnumSet.of(Condition.PRESENT)));
        session.put(OUT, names(EnumSet.of(Condition.UNPLUGGED)));
        try {
            for (String lesson : LESSONS) {
                session.execute("gogo:complete " + lesson);
                session.execute(
                        "gogo:complete " + command(lesson) + " -s h -l help --description 'Explain the command'");
            }
        } catch (Exception e) {
            // The commands work without.
            LOG.debug("no completion in this session", e);
        }
    }

    private static String command(String lesson) {
        return String.join(" ", List.of(lesson.split(" ")).subList(0, 2));
    }

    /** A variable that, used as a command, returns names of devices. */
    private Function names(Set<Condition> conditions) {
        return (session, arguments) -> monitor.snapshot().devices().stream()
                .filter(device -> conditions.contains(device.condition()))
                .map(DeviceSnapshot::name)
                .toList();
    }
}
