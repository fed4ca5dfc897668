// SPDX-License-Identifier: Apache-2.0
package org.verbena.rdma.itests.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.verbena.rdma.itests.architecture.badexamples.locks.BadLocking;
import org.verbena.rdma.itests.architecture.goodexamples.locks.GoodLocking;

@DisplayName("No lock is held across a call into other people's code")
class HeldLocksTest {

    static Stream<String> badExamples() {
        return Arrays.stream(BadLocking.class.getDeclaredMethods())
                .filter(method -> Modifier.isPublic(method.getModifiers()))
                .map(Method::getName);
    }

    @ParameterizedTest(name = "the rule sees through {0}")
    @MethodSource("badExamples")
    void findsEachBadExample(String method) {
        Set<String> violations = HeldLocks.acrossForeignCalls(folderOf(BadLocking.class));

        assertThat(violations).anyMatch(violation -> violation.startsWith("BadLocking." + method + ":"));
    }

    @Test
    @DisplayName("the rule names the way from the lock to the call")
    void namesTheWay() {
        Set<String> violations = HeldLocks.acrossForeignCalls(folderOf(BadLocking.class));

        assertThat(violations)
                .anyMatch(violation -> violation.matches("BadLocking.deep:[1-9][0-9]* holds a lock and calls"
                        + " BadLocking\\$Deepest.further > ProviderDevice.createProtectionDomain"));
    }

    @Test
    @DisplayName("the rule lets good examples pass")
    void passesGoodExamples() {
        assertThat(HeldLocks.acrossForeignCalls(folderOf(GoodLocking.class))).isEmpty();
    }

    @Test
    @DisplayName("the rule for providers sees the registry, and nothing else")
    void seesTheRegistryOnly() {
        assertThat(HeldLocks.acrossTheRegistry(folderOf(BadLocking.class)))
                .hasSize(2)
                .anyMatch(violation -> violation.contains("ServiceRegistration.unregister"))
                .anyMatch(violation -> violation.contains("BundleContext.registerService"));
    }

    private static Path folderOf(Class<?> type) {
        try {
            Path root = Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().toURI());
            return root.resolve(type.getPackageName().replace('.', '/'));
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
