package org.verbena.rdma.provider.iwarp.activation;

import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import org.osgi.framework.BundleContext;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;
import org.osgi.service.cm.ConfigurationAdmin;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks which configurations Config Admin is going to deliver, so that nothing is made for want of one that is there. */
final class StoredConfigurations {
    private static final Logger LOG = LoggerFactory.getLogger(StoredConfigurations.class);

    private StoredConfigurations() {}

    /** The PIDs of the configurations for this bundle; none without a Config Admin. */
    static Set<String> pids(BundleContext context) {
        Set<String> pids = new HashSet<>();
        ServiceReference<ConfigurationAdmin> reference = context.getServiceReference(ConfigurationAdmin.class);
        ConfigurationAdmin admin = reference == null ? null : context.getService(reference);
        if (admin == null) {
            return pids;
        }
        try {
            String filter = "(" + ConfigurationAdmin.SERVICE_FACTORYPID + "=" + Configuration.PID + ")";
            org.osgi.service.cm.Configuration[] found = admin.listConfigurations(filter);
            for (int i = 0; found != null && i < found.length; i++) {
                if (isFor(context, found[i].getBundleLocation())) {
                    pids.add(found[i].getPid());
                }
            }
        } catch (IOException | InvalidSyntaxException | RuntimeException e) {
            LOG.warn("Cannot ask for stored configurations: {}", e.toString());
        } finally {
            context.ungetService(reference);
        }
        return pids;
    }

    private static boolean isFor(BundleContext context, String location) {
        return location == null
                || location.startsWith("?")
                || location.equals(context.getBundle().getLocation());
    }
}
