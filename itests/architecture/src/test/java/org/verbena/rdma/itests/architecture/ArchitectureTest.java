// SPDX-License-Identifier: Apache-2.0
package org.verbena.rdma.itests.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;
import org.verbena.rdma.itests.architecture.badexamples.api.DependsOnALibrary;
import org.verbena.rdma.itests.architecture.badexamples.dispatch.KnowsOsgi;
import org.verbena.rdma.itests.architecture.badexamples.registry.Unregisters;

/** What keeps the bundles apart. Each rule is also shown an example of what it is there to refuse. */
class ArchitectureTest {
    private static final String API = "org.verbena.rdma";
    private static final String CORE = "org.verbena.rdma.core";

    private static final List<String> BUNDLES = List.of(
            "api",
            "spi",
            "core",
            "provider-loopback",
            "provider-iwarp",
            "disni-native",
            "provider-disni",
            "rping",
            "shell",
            "shell-karaf",
            "rping-karaf",
            "operations",
            "health",
            "metrics",
            "application",
            "console",
            "console-host");

    private static final JavaClasses PROJECT = new ClassFileImporter()
            .importPaths(BUNDLES.stream().map(ArchitectureTest::classesOf).toList());

    @Test
    @DisplayName("api needs the JDK and OSGi's annotations, nothing else")
    void apiStandsAlone() {
        String[] api = {API, API + ".cm", API + ".monitor"};

        dependsOnlyOn(api, api).check(PROJECT);
    }

    @Test
    @DisplayName("spi needs api, the JDK and OSGi's annotations, nothing else")
    void spiNeedsApiOnly() {
        dependsOnlyOn(new String[] {API + ".spi"}, API, API + ".cm", API + ".spi")
                .check(PROJECT);
    }

    @Test
    @DisplayName("the rule on dependencies refuses a library")
    void libraryIsRefused() {
        String bad = DependsOnALibrary.class.getPackageName();

        assertRefuses(dependsOnlyOn(new String[] {bad}, bad), DependsOnALibrary.class);
    }

    @Test
    @DisplayName("dispatch and guard know nothing of OSGi, so that they can be tested without a framework")
    void dispatchAndGuardAreFreeOfOsgi() {
        isFreeOfOsgi(CORE + ".dispatch..").check(PROJECT);
        isFreeOfOsgi(CORE + ".guard..").check(PROJECT);
    }

    @Test
    @DisplayName("the rule on OSGi refuses one of its types")
    void osgiIsRefused() {
        assertRefuses(isFreeOfOsgi(KnowsOsgi.class.getPackageName()), KnowsOsgi.class);
    }

    @Test
    @DisplayName("only the osgi package of core registers and unregisters services")
    void onlyOsgiPackageRegisters() {
        registersOnlyIn(CORE + "..", CORE + ".osgi..").check(PROJECT);
    }

    @Test
    @DisplayName("the rule on registrations refuses one elsewhere")
    void registrationElsewhereIsRefused() {
        assertRefuses(registersOnlyIn(Unregisters.class.getPackageName(), CORE + ".osgi.."), Unregisters.class);
    }

    @Test
    @DisplayName(
            "core holds no monitor and no exclusive lock across a call into a consumer, a provider or the registry")
    void coreHoldsNoLockAcrossForeignCalls() {
        assertThat(HeldLocks.acrossForeignCalls(classesOf("core"))).isEmpty();
    }

    @ParameterizedTest(name = "{0} holds no monitor and no exclusive lock across a call into the registry")
    @MethodSource("bundles")
    void noBundleHoldsALockAcrossTheRegistry(String folder) {
        assertThat(HeldLocks.acrossTheRegistry(classesOf(folder))).isEmpty();
    }

    static Stream<String> bundles() {
        return BUNDLES.stream();
    }

    private static Path classesOf(String folder) {
        return Path.of(System.getProperty("verbena.bundles"), folder, "target", "classes");
    }

    private static ArchRule dependsOnlyOn(String[] packages, String... allowed) {
        return classes()
                .that()
                .resideInAnyPackage(packages)
                .should()
                .onlyDependOnClassesThat(
                        resideInAnyPackage(allowed).or(resideInAnyPackage("java..", "org.osgi.annotation..")));
    }

    private static ArchRule isFreeOfOsgi(String packages) {
        return noClasses()
                .that()
                .resideInAPackage(packages)
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.osgi..");
    }

    private static ArchRule registersOnlyIn(String packages, String allowed) {
        return noClasses()
                .that()
                .resideInAPackage(packages)
                .and()
                .resideOutsideOfPackage(allowed)
                .should()
                .callMethodWhere(describe("register or unregister a service", ArchitectureTest::touchesTheRegistry));
    }

    private static boolean touchesTheRegistry(JavaCall<?> call) {
        JavaClass owner = call.getTargetOwner();
        return owner.isAssignableTo(ServiceRegistration.class)
                || owner.isAssignableTo(BundleContext.class) && call.getName().equals("registerService");
    }

    private static void assertRefuses(ArchRule rule, Class<?> example) {
        JavaClasses examples = new ClassFileImporter().importClasses(example);

        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> rule.check(examples))
                .withMessageContaining(example.getSimpleName());
    }
}
