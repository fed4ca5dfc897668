package org.verbena.rdma.spi;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.osgi.annotation.bundle.Attribute;
import org.osgi.annotation.bundle.Capability;
import org.verbena.rdma.RequireRdmaProvider;

/**
 * Gives the bundle of a provider its capability, so that a consumer can require some provider or a certain one, by
 * {@link RequireRdmaProvider} or by hand ({@code Require-Capability: rdma.provider;filter:="(type=iwarp)"}).
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target({ElementType.TYPE, ElementType.PACKAGE})
@Capability(namespace = RdmaProvider.NAMESPACE, version = "1.0.0")
public @interface RdmaProvider {
    /** The name space of the capability. */
    String NAMESPACE = RequireRdmaProvider.NAMESPACE;

    /**
     * The name of the provider.
     *
     * @return as {@code DeviceAttributes.provider()} of its devices
     */
    @Attribute
    String type();
}
