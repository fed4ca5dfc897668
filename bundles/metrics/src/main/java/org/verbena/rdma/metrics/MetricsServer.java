package org.verbena.rdma.metrics;

import io.prometheus.metrics.exporter.httpserver.HTTPServer;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.net.InetAddress;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.Designate;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.verbena.rdma.monitor.Monitor;

/** Serves the metrics by HTTP for as long as there is a monitor. */
@Component(service = MetricsServer.class, immediate = true, configurationPid = "org.verbena.rdma.metrics")
@Designate(ocd = MetricsServer.Settings.class)
public final class MetricsServer {
    private static final Logger LOGGER = LoggerFactory.getLogger(MetricsServer.class);

    private final HTTPServer server;

    /** What can be set. */
    @ObjectClassDefinition(name = "Verbena metrics", description = "Applies live; the server is started anew.")
    public @interface Settings {
        /** The address. */
        @AttributeDefinition(
                name = "Address",
                description =
                        "Where Prometheus asks, an address of this machine; there is neither login nor encryption.")
        String address() default "127.0.0.1";

        /** The port. */
        @AttributeDefinition(name = "Port", description = "The port, 0 for a free one; the path is /metrics.")
        int port() default 9464;
    }

    /** Starts the server, if there is a port for it. */
    @Activate
    public MetricsServer(@Reference Monitor monitor, Settings settings) {
        server = start(monitor, settings);
    }

    private static HTTPServer start(Monitor monitor, Settings settings) {
        PrometheusRegistry registry = new PrometheusRegistry();
        registry.register(new MonitorMetrics(monitor));
        try {
            HTTPServer started = HTTPServer.builder()
                    .inetAddress(InetAddress.getByName(settings.address()))
                    .port(settings.port())
                    .registry(registry)
                    .buildAndStart();
            LOGGER.info("metrics are at http://{}:{}/metrics", settings.address(), started.getPort());
            return started;
        } catch (IOException | IllegalArgumentException refused) {
            LOGGER.warn(
                    "there are no metrics at {}:{}, {}; set address and port of org.verbena.rdma.metrics",
                    settings.address(),
                    settings.port(),
                    refused.getMessage());
            return null;
        }
    }

    /**
     * Returns where it listens.
     *
     * @return the port, -1 if there was none for it
     */
    public int port() {
        return server == null ? -1 : server.getPort();
    }

    @Deactivate
    void stop() {
        if (server != null) {
            server.close();
        }
    }
}
