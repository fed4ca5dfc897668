package org.verbena.rdma;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.osgi.annotation.bundle.Requirement;

/**
 * Makes the bundle of a consumer require that the bundle of some provider, or of a certain one, is installed. A resolver
 * then brings one along: Karaf for a feature that names the feature of a provider as a dependency, bnd for a
 * {@code -runbundles} list.
 *
 * <p>It asks for a bundle and not for a device; which devices there are, and whether any, changes while the consumer runs.
 * A consumer that can wait for a provider to be installed should not require one: it stops with the last.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target({ElementType.TYPE, ElementType.PACKAGE})
@Requirement(
        namespace = RequireRdmaProvider.NAMESPACE,
        version = "1.0.0",
        filter = "(type=${if;${size;${#type}};${#type};*})")
public @interface RequireRdmaProvider {
    /** The name space of the capability that the bundles of providers have. */
    String NAMESPACE = "rdma.provider";

    /**
     * The name of the provider.
     *
     * @return the value of {@link RdmaDevice#PROVIDER} that its devices have; empty for any provider
     */
    String type() default "";
}
