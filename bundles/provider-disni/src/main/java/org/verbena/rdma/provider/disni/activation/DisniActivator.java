package org.verbena.rdma.provider.disni.activation;

import org.osgi.annotation.bundle.Capability;
import org.osgi.annotation.bundle.Header;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.verbena.rdma.disni.LibDisni;
import org.verbena.rdma.provider.disni.device.DisniAttributes;
import org.verbena.rdma.provider.disni.discovery.DeviceWatch;
import org.verbena.rdma.provider.disni.natives.Natives;
import org.verbena.rdma.spi.RdmaProvider;

/**
 * Follows the devices of the kernel for as long as the bundle is started. Where the native libraries are missing it says
 * so in one line, and the bundle does nothing; that is a warning only where there is a device.
 *
 * <p>An activator and no component: when the bundle stops, each device is unregistered, and nothing may skip that. Start
 * and stop are called one at a time, so the field needs no lock.
 */
@Header(name = Constants.BUNDLE_ACTIVATOR, value = "${@class}")
@RdmaProvider(type = DisniAttributes.PROVIDER)
@Capability(
        namespace = "osgi.service",
        attribute = "objectClass:List<String>=\"org.verbena.rdma.spi.ProviderDevice\"",
        effective = "active")
public final class DisniActivator implements BundleActivator {
    private static final Logger LOG = LoggerFactory.getLogger(DisniActivator.class);

    private DeviceWatch watch;

    /** Called by the framework. */
    public DisniActivator() {
        // nothing to do
    }

    @Override
    public void start(BundleContext context) {
        LibDisni natives;
        try {
            natives = LibDisni.load();
        } catch (UnsatisfiedLinkError missing) {
            if (DeviceWatch.isNeeded()) {
                LOG.warn("no RDMA device of the kernel can be used: {}", missing.getMessage());
            } else {
                LOG.info(
                        "there is no RDMA device of the kernel in this machine, nor could one be used: {}",
                        missing.getMessage());
            }
            return;
        }
        LOG.debug("libraries: {}", natives.versions());
        watch = DeviceWatch.start(new Natives(natives, natives), new DeviceServices(context));
    }

    @Override
    public void stop(BundleContext context) {
        DeviceWatch ending = watch;
        watch = null;
        if (ending != null) {
            ending.stop();
        }
    }
}
