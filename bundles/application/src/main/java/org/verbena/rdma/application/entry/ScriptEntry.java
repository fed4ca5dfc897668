package org.verbena.rdma.application.entry;

import java.io.BufferedReader;
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
        // Line by line as they come: the file may be a pipe that somebody writes commands into.
        try (BufferedReader lines = Files.newBufferedReader(Path.of(words.get(0)));
                ConsoleSession console = new ConsoleSession(processor)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (!line.isBlank() && !line.strip().startsWith("#")) {
                    console.execute(line);
                }
            }
            return console.status();
        } catch (IOException e) {
            System.err.println("verbena: cannot read the script " + words.get(0));
            return FAILED;
        }
    }
}
