// SPDX-License-Identifier: Apache-2.0
package org.verbena.rdma.itests;

import static org.ops4j.pax.exam.CoreOptions.bundle;
import static org.ops4j.pax.exam.CoreOptions.composite;
import static org.ops4j.pax.exam.CoreOptions.frameworkProperty;
import static org.ops4j.pax.exam.CoreOptions.junitBundles;
import static org.ops4j.pax.exam.CoreOptions.systemProperty;
import static org.ops4j.pax.exam.CoreOptions.systemTimeout;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.inject.Inject;
import org.junit.runner.RunWith;
import org.ops4j.pax.exam.Option;
import org.ops4j.pax.exam.junit.PaxExam;
import org.osgi.framework.BundleContext;

/**
 * What the Felix tests have in common: the bundles a test wants, as options to pick from.
 *
 * <p>Every bundle comes as a file: the project's own as this build made them, third parties' as Maven copied them. A
 * test has a {@code @Configuration} method that returns a composite of these; each test method gets a framework of its
 * own, unless its class says otherwise.
 */
@RunWith(PaxExam.class)
public abstract class FelixTestBase {

    /** The bundles of this reactor, in the order in which they build upon each other. */
    protected static final List<String> REACTOR = List.of(
            "api",
            "spi",
            "core",
            "provider-loopback",
            "provider-iwarp",
            "disni-native",
            "provider-disni",
            "rping",
            "shell",
            "operations",
            "health",
            "metrics",
            "application",
            "console",
            "console-host");

    private static final String SCR = "org.apache.felix.scr";

    @Inject
    protected BundleContext context;

    /** JUnit in the framework, and the assertions. */
    protected static Option framework() {
        return composite(
                // How long a framework that does not stop is waited for: it fails the test, and holds up the others.
                systemTimeout(20_000),
                junitBundles(),
                thirdParty("byte-buddy"),
                thirdParty("assertj-core"),
                thirdParty("hamcrest"),
                thirdParty("awaitility"));
    }

    /** Declarative Services, with what it builds upon: Config Admin and metatype. */
    protected static Option declarativeServices() {
        return composite(
                thirdParty("org.osgi.util.function"),
                thirdParty("org.osgi.util.promise"),
                thirdParty("org.osgi.service.component"),
                thirdParty("org.apache.felix.configadmin"),
                thirdParty("org.apache.felix.metatype"),
                thirdParty(SCR));
    }

    /** SLF4J. */
    protected static Option logging() {
        return composite(
                systemProperty("org.ops4j.pax.logging.DefaultServiceLog.level").value("INFO"),
                thirdParty("pax-logging-api"),
                thirdParty("pax-logging-logback"));
    }

    /** Gogo, without a terminal. */
    protected static Option gogo() {
        return thirdParty("org.apache.felix.gogo.runtime");
    }

    /** javax.servlet, without a server. */
    protected static Option servlets() {
        return thirdParty("org.apache.felix.http.servlet-api");
    }

    /** The platform without a provider. */
    protected static Option verbenaCore() {
        return composite(verbena("api"), verbena("spi"), verbena("core"));
    }

    protected static Option providerLoopback() {
        return verbena("provider-loopback");
    }

    protected static Option providerIwarp() {
        return verbena("provider-iwarp");
    }

    /** The consumer rping, which is a Gogo command too. */
    protected static Option rping() {
        return composite(gogo(), verbena("rping"));
    }

    /** The shell's commands and what they need. */
    protected static Option shell() {
        return composite(gogo(), verbena("shell"));
    }

    /** What makes configurations of the files in a folder. */
    protected static Option filesIn(Path etc) {
        return composite(
                frameworkProperty("felix.fileinstall.dir").value(etc.toString()),
                frameworkProperty("felix.fileinstall.tmpdir")
                        .value(etc.resolveSibling("tmp").toString()),
                frameworkProperty("felix.fileinstall.poll").value("200"),
                frameworkProperty("felix.fileinstall.noInitialDelay").value("true"),
                frameworkProperty("felix.fileinstall.enableConfigSave").value("false"),
                thirdParty("org.apache.felix.fileinstall"));
    }

    /** Event Admin. */
    protected static Option eventAdmin() {
        return thirdParty("org.apache.felix.eventadmin");
    }

    /** The API of health checks. */
    protected static Option healthChecks() {
        return thirdParty("org.apache.felix.healthcheck.api");
    }

    /** JMX beans and notifications. */
    protected static Option operations() {
        return composite(eventAdmin(), verbena("operations"));
    }

    /** Health checks. */
    protected static Option health() {
        return composite(healthChecks(), verbena("health"));
    }

    /** Metrics. */
    protected static Option metrics() {
        return verbena("metrics");
    }

    /** One bundle of this reactor, by its folder. */
    protected static Option verbena(String folder) {
        return bundle(verbenaJar(folder).toUri().toString());
    }

    /** The jar of one bundle of this reactor, by its folder. */
    protected static Path verbenaJar(String folder) {
        String jar = symbolicName(folder) + "-" + System.getProperty("verbena.version") + ".jar";
        return existing(Path.of(System.getProperty("verbena.bundles"), folder, "target", jar));
    }

    protected static String symbolicName(String folder) {
        return "org.verbena.rdma." + folder;
    }

    private static Option thirdParty(String artifactId) {
        return bundle(thirdPartyJar(artifactId).toUri().toString());
    }

    /** The jar of a bundle of third parties, as Maven has copied it; of SCR that which this run is with. */
    protected static Path thirdPartyJar(String artifactId) {
        String name = artifactId.equals(SCR) ? System.getProperty("verbena.scr", SCR) : artifactId;
        return existing(Path.of(System.getProperty("verbena.thirdparty"), name + ".jar"));
    }

    private static Path existing(Path jar) {
        if (!Files.isRegularFile(jar)) {
            throw new IllegalStateException(jar + " is missing: build with mvn verify");
        }
        return jar.normalize();
    }
}
