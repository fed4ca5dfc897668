package org.verbena.rdma.itests.karaf;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.condition.DisabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** Marks tests that start Karaf, which not every JDK does. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@DisabledForJreRange(
        min = JRE.JAVA_24,
        disabledReason = "Karaf 4.4 does not start on JDK 24 or newer, which has no security manager to allow")
@interface NeedsKaraf {}
