package org.verbena.rdma.provider.iwarp.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.verbena.rdma.provider.iwarp.peer.Memory;
import org.verbena.rdma.provider.iwarp.peer.Pair;
import org.verbena.rdma.provider.iwarp.peer.Request;
import org.verbena.rdma.provider.iwarp.peer.Settings;

class RecordingTest {
    @TempDir
    Path folder;

    @Test
    @DisplayName("a flight recording has the end of each connection with its traffic, and each Terminate")
    void recording() throws Exception {
        Path file = folder.resolve("iwarp.jfr");
        try (Recording recording = new Recording()) {
            recording.enable("org.verbena.rdma.iwarp.ConnectionEnd");
            recording.enable("org.verbena.rdma.iwarp.Terminate");
            recording.start();
            try (Pair pair = Pair.connect(Settings.DEFAULTS)) {
                Memory memory = pair.device().memory(50);
                pair.server().receive(new Request(1).segment(memory));
                pair.client().send(new Request(2).segment(memory));
                pair.server().receives().next();
                pair.client().sends().next();
                // No receive is there.
                pair.client().send(new Request(3).segment(memory));
                pair.client().events().next("disconnected");
                pair.server().events().next("disconnected");
            }
            recording.stop();
            recording.dump(file);
        }

        List<RecordedEvent> events = RecordingFile.readAllEvents(file);
        assertThat(events.stream()
                        .filter(event -> event.getEventType().getName().endsWith("Terminate")))
                .hasSize(2)
                .allMatch(event -> event.getString("device").equals("iwarp-test"))
                .allMatch(event -> event.getString("peer").startsWith("127.0.0.1:"))
                .allMatch(event -> event.getString("layer").equals("ddp"))
                .allMatch(event -> event.getInt("errorType") == 2 && event.getInt("errorCode") == 2)
                .extracting(event -> event.getBoolean("sent"))
                .containsExactlyInAnyOrder(true, false);
        assertThat(events.stream()
                        .filter(event -> event.getEventType().getName().endsWith("ConnectionEnd")))
                .hasSize(2)
                .allMatch(event -> event.getEventType().getCategoryNames().equals(List.of("Verbena", "iWARP")))
                .allMatch(event -> !event.getString("status").equals("SUCCESS"))
                .anyMatch(event -> event.getLong("messagesIn") == 1 && event.getLong("bytesIn") == 50)
                .anyMatch(event -> event.getLong("messagesOut") >= 1 && event.getLong("bytesOut") >= 50);
    }

    @Test
    @DisplayName("a flight recording has the counters of each open device, and of no closed one")
    void counters() throws Exception {
        try (Pair pair = Pair.connect(Settings.DEFAULTS)) {
            Memory memory = pair.device().memory(50);
            for (int i = 0; i < 2; i++) {
                pair.server().receive(new Request(1).segment(memory));
                pair.client().send(new Request(2).segment(memory));
                pair.server().receives().next();
                pair.client().sends().next();
            }
            assertThat(recordedCounters())
                    .containsEntry("bytes.send.in", 100L)
                    .containsEntry("messages.send.out", 2L)
                    .containsEntry("connections.established", 2L)
                    .doesNotContainKey("errors.crc");
        }
        assertThat(recordedCounters()).isEmpty();
    }

    private Map<String, Long> recordedCounters() throws Exception {
        Path file = folder.resolve("counters.jfr");
        try (Recording recording = new Recording()) {
            recording.enable("org.verbena.rdma.iwarp.Counter").with("period", "endChunk");
            recording.start();
            recording.stop();
            recording.dump(file);
        }
        Map<String, Long> counters = new HashMap<>();
        for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
            assertThat(event.getString("device")).isEqualTo("iwarp-test");
            assertThat(counters.put(event.getString("counter"), event.getLong("value")))
                    .isNull();
        }
        return counters;
    }
}
