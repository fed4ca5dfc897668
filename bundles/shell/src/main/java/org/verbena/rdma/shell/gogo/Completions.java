package org.verbena.rdma.shell.gogo;

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

    private static final String ALL = "__rdma_devices";
    private static final String PRESENT = "__rdma_devices_present";
    private static final String OUT = "__rdma_devices_out";
    private static final String JSON = "-l json --description 'Print JSON'";

    /** What can be said behind each command. */
    private static final Map<String, List<String>> LESSONS = Map.of(
            "devices", List.of("-d 'lists the devices' -a '" + ALL + "'", JSON),
            "ids", List.of("-d 'lists the connection ids'", JSON),
            "listeners", List.of("-d 'lists the ids that listen'", JSON),
            "connections", List.of("-d 'lists the connections'", JSON),
            "stats",
                    List.of(
                            "-d 'shows what the providers have counted' -a '" + ALL + "'",
                            JSON,
                            "-s c -l connections --description 'By connection'",
                            "-l all --description 'Also what is zero'",
                            "-s e -l every --description 'Again and again'"),
            "unplug", List.of("-d 'takes a device out' -a '" + PRESENT + "'"),
            "plug", List.of("-d 'puts a device back' -a '" + OUT + "'"),
            "trace",
                    List.of(
                            "-d 'shows what happens' -a '" + ALL + "'",
                            JSON,
                            "-s i -l id --description 'Only the events of this id'"),
            "doctor", List.of("-d 'says what is wrong on this machine'", JSON));

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
        session.put(ALL, names(EnumSet.allOf(Condition.class)));
        session.put(PRESENT, names(EnumSet.of(Condition.PRESENT)));
        session.put(OUT, names(EnumSet.of(Condition.UNPLUGGED, Condition.FAILED)));
        try {
            for (Map.Entry<String, List<String>> lesson : LESSONS.entrySet()) {
                String command = "gogo:complete -c rdma:" + lesson.getKey() + " ";
                for (String what : lesson.getValue()) {
                    session.execute(command + what);
                }
                session.execute(command + "-s h -l help --description 'Explain the command'");
            }
        } catch (Exception e) {
            // The commands work without.
            LOG.debug("no completion in this session", e);
        }
    }

    /** A variable that, used as a command, returns names of devices. */
    private Function names(Set<Condition> conditions) {
        return (session, arguments) -> monitor.snapshot().devices().stream()
                .filter(device -> conditions.contains(device.condition()))
                .map(DeviceSnapshot::name)
                .toList();
    }
}
