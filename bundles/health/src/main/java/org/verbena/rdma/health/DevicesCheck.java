package org.verbena.rdma.health;

import org.apache.felix.hc.api.FormattingResultLog;
import org.apache.felix.hc.api.HealthCheck;
import org.apache.felix.hc.api.Result;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.verbena.rdma.monitor.DeviceSnapshot;
import org.verbena.rdma.monitor.Monitor;
import org.verbena.rdma.monitor.RemovalSnapshot;
import org.verbena.rdma.monitor.Snapshot;

/** Whether all devices serve; who holds up a removal. */
@Component(property = {HealthCheck.NAME + "=RDMA devices", HealthCheck.TAGS + "=rdma", "hc.mbean.name=rdmaDevices"})
public final class DevicesCheck implements HealthCheck {
    private final Monitor monitor;

    /** Made by Declarative Services. */
    @Activate
    public DevicesCheck(@Reference Monitor monitor) {
        this.monitor = monitor;
    }

    @Override
    public Result execute() {
        Snapshot snapshot = monitor.snapshot();
        FormattingResultLog log = new FormattingResultLog();
        if (snapshot.devices().isEmpty()) {
            log.warn("There is no RDMA device.");
        }
        for (DeviceSnapshot device : snapshot.devices()) {
            look(device, log);
        }
        for (RemovalSnapshot removal : snapshot.removals()) {
            removal.waitingFor()
                    .forEach(holder -> log.warn("The removal of {} is held up by {}.", removal.device(), holder));
        }
        return new Result(log);
    }

    private static void look(DeviceSnapshot device, FormattingResultLog log) {
        switch (device.condition()) {
            case PRESENT -> {
                if (device.link().equals("down")) {
                    log.critical("Device {} has no link.", device.name());
                } else if (device.addresses().isEmpty()) {
                    log.warn("Device {} serves no address.", device.name());
                } else {
                    log.info("Device {} serves {}.", device.name(), String.join(", ", device.addresses()));
                }
            }
            case REMOVING -> log.warn("Device {} is being removed.", device.name());
            case UNPLUGGED -> log.warn("Device {} is taken out.", device.name());
            case FAILED -> log.critical("Device {} cannot be opened: {}.", device.name(), device.detail());
            case ABANDONED -> log.critical("Device {} is given up: {}.", device.name(), device.detail());
        }
    }
}
