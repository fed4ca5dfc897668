package org.verbena.rdma.provider.iwarp.activation;

import java.util.Collections;
import java.util.Dictionary;
import java.util.Hashtable;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.framework.ServiceRegistration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.verbena.rdma.RdmaDevice;
import org.verbena.rdma.Transport;
import org.verbena.rdma.provider.iwarp.device.IwarpAttributes;
import org.verbena.rdma.provider.iwarp.device.IwarpDevice;
import org.verbena.rdma.spi.ProviderDevice;

/** A device and its service. Immutable. */
final class RegisteredDevice {
    private static final Logger LOG = LoggerFactory.getLogger(RegisteredDevice.class);

    private final WantedDevice made;
    private final IwarpDevice device;
    private final ServiceRegistration<ProviderDevice> registration;

    private RegisteredDevice(WantedDevice made, IwarpDevice device, ServiceRegistration<ProviderDevice> registration) {
        this.made = made;
        this.device = device;
        this.registration = registration;
    }

    static RegisteredDevice register(BundleContext context, WantedDevice wanted) {
        IwarpDevice device = new IwarpDevice(
                wanted.name(), wanted.guid(), wanted.configuration().settings(), wanted.state());
        Dictionary<String, Object> properties = new Hashtable<>();
        properties.put(RdmaDevice.NAME, wanted.name());
        properties.put(RdmaDevice.PROVIDER, IwarpAttributes.PROVIDER);
        properties.put(RdmaDevice.TRANSPORT, Transport.IWARP.propertyValue());
        properties.put(Constants.SERVICE_RANKING, wanted.configuration().ranking());
        LOG.info(
                "iWARP device {} comes, addresses {}",
                wanted.name(),
                wanted.state().addresses());
        return new RegisteredDevice(wanted, device, context.registerService(ProviderDevice.class, device, properties));
    }

    String name() {
        return made.name();
    }

    DeviceConfiguration configuration() {
        return made.configuration();
    }

    /** Whether it was made from the same configuration. */
    boolean isAs(WantedDevice wanted) {
        return made.configuration().equals(wanted.configuration()) && made.guid() == wanted.guid();
    }

    boolean sharesAddressWith(WantedDevice other) {
        return !Collections.disjoint(device.addresses(), other.state().addresses());
    }

    void interfaceIs(WantedDevice wanted) {
        device.interfaceIs(wanted.state());
    }

    void interfaceIsGone() {
        device.interfaceIsGone();
    }

    /** Removes the device; returns when core has closed all that it made on it. Core's close has freed it then. */
    void unregister() {
        try {
            registration.unregister();
            LOG.info("iWARP device {} goes", made.name());
        } catch (IllegalStateException e) {
            LOG.debug("The service of device {} was unregistered already", made.name(), e);
        }
    }
}
