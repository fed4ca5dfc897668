package org.verbena.rdma.shell.karaf;

import java.util.stream.Stream;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.verbena.rdma.monitor.ConnectionSnapshot;
import org.verbena.rdma.monitor.ListenerSnapshot;

/** The numbers of all ids. */
@Service
public final class IdNumbers extends Candidates {
    /** Made by Karaf. */
    public IdNumbers() {
        super(snapshot -> Stream.of(
                        snapshot.ids().stream(),
                        snapshot.listeners().stream().map(ListenerSnapshot::id),
                        snapshot.connections().stream().map(ConnectionSnapshot::id))
                .flatMap(ids -> ids)
                .map(id -> String.valueOf(id.number())));
    }
}
