package org.verbena.rdma.itests.karaf.commands;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.karaf.shell.api.console.SessionFactory;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;

/** Runs in Karaf: writes the names of all commands in scope rdma into a file, one a line, as often as they are there. */
public final class CommandLister implements BundleActivator {
    @Override
    public void start(BundleContext context) throws IOException {
        SessionFactory shell = context.getService(context.getServiceReference(SessionFactory.class));
        Files.write(
                Path.of(System.getProperty("karaf.data"), "commands.txt"),
                shell.getRegistry().getCommands().stream()
                        .filter(command -> command.getScope().equals("rdma"))
                        .map(command -> command.getName() + (command.getCompleter(false) == null ? " (mute)" : ""))
                        .toList(),
                UTF_8);
    }

    @Override
    public void stop(BundleContext context) {
        // The framework ungets the service.
    }
}
