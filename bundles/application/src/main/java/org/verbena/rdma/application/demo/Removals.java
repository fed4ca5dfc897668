package org.verbena.rdma.application.demo;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.verbena.rdma.monitor.IdSnapshot;
import org.verbena.rdma.monitor.MonitorListener;
import org.verbena.rdma.monitor.RemovalSnapshot;

/** What the monitor has told of the removal of one device. */
final class Removals implements MonitorListener {
    private static final String DEVICE_REMOVAL = "DEVICE_REMOVAL";

    private final String device;
    private final List<Long> told = new CopyOnWriteArrayList<>();
    private volatile RemovalSnapshot ended;

    Removals(String device) {
        this.device = device;
    }

    @Override
    public void event(IdSnapshot id, String event) {
        if (event.equals(DEVICE_REMOVAL)) {
            told.add(id.number());
        }
    }

    @Override
    public void deviceDown(RemovalSnapshot removal) {
        if (removal.device().equals(device)) {
            ended = removal;
        }
    }

    /** How often an id was told. */
    long told(long number) {
        return told.stream().filter(id -> id == number).count();
    }

    Optional<RemovalSnapshot> ended() {
        return Optional.ofNullable(ended);
    }
}
