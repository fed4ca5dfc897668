package org.verbena.rdma.itests.karaf.recorder;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleEvent;
import org.osgi.framework.FrameworkEvent;
import org.osgi.framework.FrameworkListener;
import org.osgi.framework.SynchronousBundleListener;

/** Runs in Karaf: writes each event of another bundle into a file, one a line. */
public final class BundleEventRecorder implements BundleActivator, SynchronousBundleListener, FrameworkListener {
    private static final Map<Integer, String> NAMES = Map.of(
            BundleEvent.INSTALLED, "INSTALLED",
            BundleEvent.STARTED, "STARTED",
            BundleEvent.STOPPED, "STOPPED",
            BundleEvent.UPDATED, "UPDATED",
            BundleEvent.UNINSTALLED, "UNINSTALLED",
            BundleEvent.RESOLVED, "RESOLVED",
            BundleEvent.UNRESOLVED, "UNRESOLVED");

    private final Path file = Path.of(System.getProperty("karaf.data"), "bundle-events.txt");

    private long self;

    @Override
    public void start(BundleContext context) {
        self = context.getBundle().getBundleId();
        context.addBundleListener(this);
        context.addFrameworkListener(this);
    }

    @Override
    public void stop(BundleContext context) {
        // The framework removes the listeners.
    }

    @Override
    public void bundleChanged(BundleEvent event) {
        String name = NAMES.get(event.getType());
        if (name != null && event.getBundle().getBundleId() != self) {
            write(name + " " + event.getBundle().getSymbolicName());
        }
    }

    @Override
    public void frameworkEvent(FrameworkEvent event) {
        if (event.getType() == FrameworkEvent.ERROR) {
            write("ERROR " + event.getBundle().getSymbolicName() + " " + event.getThrowable());
        }
    }

    private synchronized void write(String line) {
        try {
            Files.writeString(file, line + "\n", UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
