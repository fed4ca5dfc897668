package org.verbena.rdma.itests.karaf;

import aQute.bnd.osgi.Builder;
import aQute.bnd.osgi.Jar;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Builds bundles by bnd, from the classes in a package of this module. */
final class TestBundles {
    private TestBundles() {}

    /**
     * Builds a bundle.
     *
     * @param code the package of its classes, below the one of the tests; its symbolic name is made of it
     * @param headers what bnd is told beyond that
     */
    static Path build(String code, Map<String, String> headers) throws Exception {
        try (Builder builder = new Builder()) {
            for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
                if (new File(entry).exists()) {
                    builder.addClasspath(new File(entry));
                }
            }
            builder.setBundleSymbolicName("test." + code);
            builder.setBundleVersion("1.0.0");
            builder.setPrivatePackage(TestBundles.class.getPackageName() + "." + code);
            builder.setProperty("-noimportjava", "true");
            headers.forEach(builder::setProperty);
            Path jar = Files.createDirectories(Path.of(System.getProperty("verbena.target"), "bundles"))
                    .resolve("test." + code + ".jar");
            try (Jar built = builder.build()) {
                if (!builder.isOk()) {
                    throw new IllegalStateException(code + ": " + builder.getErrors() + builder.getWarnings());
                }
                built.write(jar.toFile());
            }
            return jar;
        }
    }
}
