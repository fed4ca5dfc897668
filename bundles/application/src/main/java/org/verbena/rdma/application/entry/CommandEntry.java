package org.verbena.rdma.application.entry;

import java.util.List;
import java.util.function.ToIntFunction;
import org.apache.felix.service.command.CommandProcessor;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/**
 * Runs one command from outside of the framework: takes its words, returns its exit status. The type of the service is
 * the JDK's, so that who has started the framework can call it.
 */
@Component(service = ToIntFunction.class, property = "verbena.entry=command")
public final class CommandEntry implements ToIntFunction<List<String>> {
    private final CommandProcessor processor;

    @Activate
    public CommandEntry(@Reference CommandProcessor processor) {
        this.processor = processor;
    }

    @Override
    public int applyAsInt(List<String> words) {
        try (ConsoleSession console = new ConsoleSession(processor)) {
            console.execute(Words.of(words).in(console.session()));
            return console.status();
        }
    }
}
