package org.verbena.rdma.console.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.verbena.rdma.console.Snapshots;
import org.verbena.rdma.console.view.DeviceView.Link;
import org.verbena.rdma.console.view.Query.Table;
import org.verbena.rdma.monitor.ConnectionSnapshot;
import org.verbena.rdma.monitor.Snapshot;
import org.verbena.rdma.monitor.Traffic;

class OverviewTest {
    private static final Query FIRST = new Query(Table.CONNECTIONS, "", "", false, 0, 25);

    @Test
    void findsTheDeviceAtTheOtherEndOfAConnection() {
        Snapshot snapshot = Snapshots.snapshot(
                List.of(Snapshots.device("a", "10.0.0.1"), Snapshots.device("b", "10.0.0.2", "fe80:0:0:0:0:0:0:1%2")),
                List.of(
                        Snapshots.connection(1, "a", "10.0.0.2:1", Map.of()),
                        Snapshots.connection(2, "a", "[fe80:0:0:0:0:0:0:1%2]:2", Map.of()),
                        Snapshots.connection(3, "a", "10.9.9.9:3", Map.of()),
                        Snapshots.connection(4, "b", "10.0.0.1:4", Map.of())));

        List<DeviceView> devices = Overview.of(snapshot, FIRST).devices();

        assertThat(devices.get(0).links()).containsExactly(new Link("b", true, 2), new Link("10.9.9.9", false, 1));
        assertThat(devices.get(0).users()).containsExactly(Map.entry("org.example.consumer", 3));
        assertThat(devices.get(1).links()).containsExactly(new Link("a", true, 1));
    }

    @Test
    void ofManyPeersOnlyTheMostConnectedAreNamed() {
        List<ConnectionSnapshot> connections = LongStream.range(0, 100)
                .mapToObj(i -> Snapshots.connection(i, "a", "10.0.1." + i % 50 + ":1", Map.of()))
                .toList();

        DeviceView device = Overview.of(Snapshots.snapshot(List.of(Snapshots.device("a")), connections), FIRST)
                .devices()
                .get(0);

        assertThat(device.links()).hasSize(8).allSatisfy(link -> assertThat(link.connections())
                .isEqualTo(2));
        assertThat(device.linksLeftOut()).isEqualTo(42);
    }

    @Test
    void countsTheDataOfAReadWhereTheyGo() {
        Traffic traffic = Traffic.of(Map.of(
                        "bytes.send.out", 1L,
                        "bytes.write.out", 10L,
                        "bytes.read.out", 100L,
                        "bytes.send.in", 1_000L,
                        "bytes.write.in", 10_000L,
                        "bytes.read.in", 100_000L))
                .orElseThrow();

        assertThat(traffic.bytesSent()).isEqualTo(100_011);
        assertThat(traffic.bytesReceived()).isEqualTo(11_100);
        assertThat(Traffic.of(Map.of("connections.established", 1L))).isEmpty();
    }

    @Test
    void showsOnePageOfTenThousand() {
        Page page = page(new Query(Table.CONNECTIONS, "", "number", true, 9_990, 25));

        assertThat(page.total()).isEqualTo(10_000);
        assertThat(page.matched()).isEqualTo(10_000);
        assertThat(page.rows()).hasSize(10);
        assertThat(page.rows().get(9)).containsEntry("number", 0L).containsEntry("role", "active");
    }

    @Test
    void filtersByWhatStandsInAnyColumnWhateverTheCase() {
        Page page = page(new Query(Table.CONNECTIONS, "  10.0.0.9:77 ", "peer", false, 0, 25));

        assertThat(page.matched()).isEqualTo(111);
        assertThat(page.rows()).hasSize(25);
        assertThat(page.rows().get(0)).containsEntry("peer", "10.0.0.9:77");
        assertThat(page(new Query(Table.CONNECTIONS, "ORG.EXAMPLE", "", false, 0, 1))
                        .matched())
                .isEqualTo(10_000);
        assertThat(page(new Query(Table.CONNECTIONS, "nowhere", "", false, 0, 1))
                        .rows())
                .isEmpty();
    }

    @Test
    void refusesToShowMoreThanAPage() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Query(Table.IDS, "", "", false, 0, Query.MOST_ROWS + 1));
        assertThatIllegalArgumentException().isThrownBy(() -> new Query(Table.IDS, "", "", false, -1, 1));
    }

    private static Page page(Query query) {
        List<ConnectionSnapshot> connections = LongStream.range(0, 10_000)
                .mapToObj(i -> Snapshots.connection(i, "a", "10.0.0.9:" + i, Map.of("bytes.send.out", i)))
                .toList();
        return Overview.of(Snapshots.snapshot(List.of(Snapshots.device("a")), connections), query)
                .page();
    }
}
