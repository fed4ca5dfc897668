package org.verbena.rdma.operations.jmx;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.management.openmbean.TabularData;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.monitor.ConnectionSnapshot;
import org.verbena.rdma.monitor.ConsumerSnapshot;
import org.verbena.rdma.monitor.DeviceSnapshot;
import org.verbena.rdma.monitor.IdSnapshot;
import org.verbena.rdma.monitor.ListenerSnapshot;
import org.verbena.rdma.monitor.Monitor;
import org.verbena.rdma.monitor.RemovalSnapshot;

/** The monitor as a JMX bean. */
final class MonitorBean implements MonitorMBean {
    private static final OpenRecords<DeviceSnapshot> DEVICES =
            new OpenRecords<>(DeviceSnapshot.class, "name", "number");
    private static final OpenRecords<IdSnapshot> IDS = new OpenRecords<>(IdSnapshot.class, "number");
    private static final OpenRecords<ListenerSnapshot> LISTENERS = new OpenRecords<>(ListenerSnapshot.class, "number");
    private static final OpenRecords<ConnectionSnapshot> CONNECTIONS =
            new OpenRecords<>(ConnectionSnapshot.class, "number");
    private static final OpenRecords<ConsumerSnapshot> CONSUMERS =
            new OpenRecords<>(ConsumerSnapshot.class, "bundle", "bundleId");
    private static final OpenRecords<RemovalSnapshot> REMOVALS =
            new OpenRecords<>(RemovalSnapshot.class, "device", "deviceNumber");
    private static final long PATIENCE_SECONDS = 60;

    private final Monitor monitor;

    MonitorBean(Monitor monitor) {
        this.monitor = monitor;
    }

    @Override
    public TabularData getDevices() {
        return DEVICES.table(monitor.snapshot().devices());
    }

    @Override
    public TabularData getIds() {
        return IDS.table(monitor.snapshot().ids());
    }

    @Override
    public TabularData getListeners() {
        return LISTENERS.table(monitor.snapshot().listeners());
    }

    @Override
    public TabularData getConnections() {
        return CONNECTIONS.table(monitor.snapshot().connections());
    }

    @Override
    public TabularData getConsumers() {
        return CONSUMERS.table(monitor.snapshot().consumers());
    }

    @Override
    public TabularData getRemovals() {
        return REMOVALS.table(monitor.snapshot().removals());
    }

    @Override
    public String unplug(String device) {
        return await(() -> monitor.unplug(device), "device " + device + " is out", "Removals");
    }

    @Override
    public String plug(String device) {
        return await(() -> monitor.plug(device), "device " + device + " serves again", "Devices");
    }

    private interface Operation {
        CompletionStage<Void> begin() throws RdmaException;
    }

    /** Clients have the JDK's classes only, so that is what is thrown. */
    private static String await(Operation operation, String done, String attribute) {
        CompletableFuture<Void> ended = new CompletableFuture<>();
        try {
            operation.begin().whenComplete((nothing, failure) -> {
                if (failure == null) {
                    ended.complete(null);
                } else {
                    ended.completeExceptionally(failure);
                }
            });
            ended.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            return done;
        } catch (RdmaException refused) {
            throw new IllegalArgumentException(refused.getMessage());
        } catch (ExecutionException failed) {
            Throwable why = failed.getCause();
            // What core hands out are copies of a stage, which wrap what has failed.
            why = why instanceof CompletionException && why.getCause() != null ? why.getCause() : why;
            throw new IllegalStateException(why.getMessage());
        } catch (TimeoutException late) {
            return "it takes more than " + PATIENCE_SECONDS + " s; see the attribute " + attribute;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return "it goes on; see the attribute " + attribute;
        }
    }
}
