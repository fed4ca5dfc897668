package org.verbena.rdma.operations.jmx;

import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import javax.management.StandardMBean;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.verbena.rdma.monitor.Monitor;

/**
 * Puts the bean into the platform's server of beans, which is there in any framework, and which Karaf guards by its access
 * control lists.
 */
@Component(service = {})
public final class MonitorRegistration {
    private static final Logger LOGGER = LoggerFactory.getLogger(MonitorRegistration.class);

    private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    private final ObjectName name = name();

    /** Registers the bean. */
    @Activate
    public MonitorRegistration(@Reference Monitor monitor) {
        try {
            server.registerMBean(new StandardMBean(new MonitorBean(monitor), MonitorMBean.class, false), name);
        } catch (JMException refused) {
            LOGGER.warn("there is no JMX bean {}: {}", name, refused.toString());
        }
    }

    @Deactivate
    void unregister() {
        try {
            server.unregisterMBean(name);
        } catch (JMException gone) {
            LOGGER.debug("the JMX bean {} is gone already", name, gone);
        }
    }

    private static ObjectName name() {
        try {
            return new ObjectName("org.verbena.rdma", "type", "Monitor");
        } catch (MalformedObjectNameException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
