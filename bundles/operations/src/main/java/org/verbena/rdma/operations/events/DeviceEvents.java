package org.verbena.rdma.operations.events;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.event.Event;
import org.osgi.service.event.EventAdmin;
import org.verbena.rdma.monitor.DeviceSnapshot;
import org.verbena.rdma.monitor.DeviceSnapshot.Condition;
import org.verbena.rdma.monitor.Monitor;
import org.verbena.rdma.monitor.MonitorListener;
import org.verbena.rdma.monitor.RemovalSnapshot;

/**
 * Tells Event Admin of devices that come, change and go, as notifications without any promise: a handler may be late or be
 * left out. Connections have their own events, which are not told here.
 *
 * <p>The set of devices that are up is concurrent: it is filled when this begins, and used by the monitor's calls.
 */
@Component(service = {})
public final class DeviceEvents implements MonitorListener {
    /** What all topics begin with. */
    static final String TOPICS = "org/verbena/rdma/device/";

    private final EventAdmin eventAdmin;
    private final Set<Long> up = ConcurrentHashMap.newKeySet();
    private final Monitor.Registration registration;

    /** Begins to tell. */
    @Activate
    public DeviceEvents(@Reference Monitor monitor, @Reference EventAdmin eventAdmin) {
        this.eventAdmin = eventAdmin;
        registration = monitor.addListener(this);
        // What is there already does not come when it changes.
        monitor.snapshot().devices().stream()
                .filter(device -> device.condition() == Condition.PRESENT)
                .map(DeviceSnapshot::number)
                .forEach(up::add);
    }

    @Deactivate
    void end() {
        registration.close();
    }

    @Override
    public void deviceUp(DeviceSnapshot device) {
        Map<String, Object> properties = new HashMap<>();
        properties.put("rdma.device", device.name());
        properties.put("rdma.provider", device.provider());
        properties.put("rdma.transport", device.transport());
        properties.put("rdma.addresses", device.addresses().toArray(String[]::new));
        properties.put("rdma.link", device.link());
        post(up.add(device.number()) ? "UP" : "CHANGED", properties);
    }

    @Override
    public void deviceDown(RemovalSnapshot removal) {
        up.remove(removal.deviceNumber());
        Map<String, Object> properties = new HashMap<>();
        properties.put("rdma.device", removal.device());
        properties.put("cause", removal.cause());
        properties.put("duration", removal.elapsedMillis());
        properties.put("forced", removal.forced().toArray(String[]::new));
        post("DOWN", properties);
    }

    private void post(String topic, Map<String, Object> properties) {
        eventAdmin.postEvent(new Event(TOPICS + topic, properties));
    }
}
