package org.verbena.rdma.application.entry;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.ToIntFunction;
import org.apache.felix.service.command.CommandProcessor;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/**
 * Runs the lines of a file, one after another, whatever becomes of them; returns the exit status of the last one that
 * has failed. A line that ends in {@code &} runs beside those that follow, at most until the end of the file.
 */
@Component(service = ToIntFunction.class, property = "verbena.entry=script")
public final class ScriptEntry implements ToIntFunction<List<String>> {
    private static final int FAILED = 1;

    private final CommandProcessor processor;

    @Activate
    public ScriptEntry(@Reference CommandProcessor processor) {
        this.processor = processor;
    }

    @Override
    public int applyAsInt(List<String> words) {
        List<String> lines;
        try {
            lines = Files.readAllLines(Path.of(words.get(0)));
        } catch (IOException e) {
            System.err.println("verbena: cannot read the script " + words.get(0));
            return FAILED;
        }
        try (ConsoleSession console = new ConsoleSession(processor)) {
            lines.stream()
                    .map(String::strip)
                    .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                    .forEach(console::execute);
            return console.status();
        }
    }
}
