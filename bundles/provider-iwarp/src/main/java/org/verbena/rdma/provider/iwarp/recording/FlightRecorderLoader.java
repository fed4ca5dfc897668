package org.verbena.rdma.provider.iwarp.recording;

import java.io.IOException;
import java.io.InputStream;

/**
 * Loads the classes that need the flight recorder. To each class of an event the JVM adds calls of packages that no
 * framework lets a bundle see ({@code jdk.jfr.internal}); here they are taken from the JVM, and so is {@code jdk.jfr},
 * which the bundle need not import then.
 */
final class FlightRecorderLoader extends ClassLoader {
    FlightRecorderLoader() {
        super(FlightRecorderLoader.class.getClassLoader());
    }

    static Recorder load() throws ReflectiveOperationException {
        String name = Recorder.class.getPackageName() + ".FlightRecorder";
        return (Recorder) new FlightRecorderLoader()
                .loadClass(name)
                .getDeclaredConstructor()
                .newInstance();
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (name.startsWith("jdk.jfr.")) {
            return ClassLoader.getPlatformClassLoader().loadClass(name);
        }
        if (!isRecording(name)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded == null ? define(name) : loaded;
        }
    }

    private static boolean isRecording(String name) {
        String simple = name.substring(name.lastIndexOf('.') + 1);
        return name.startsWith(Recorder.class.getPackageName() + ".")
                && (simple.endsWith("Event") || simple.equals("FlightRecorder"));
    }

    private Class<?> define(String name) throws ClassNotFoundException {
        try (InputStream code = getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (code == null) {
                throw new ClassNotFoundException(name);
            }
            byte[] bytes = code.readAllBytes();
            return defineClass(name, bytes, 0, bytes.length);
        } catch (IOException unreadable) {
            throw new ClassNotFoundException(name, unreadable);
        }
    }
}
