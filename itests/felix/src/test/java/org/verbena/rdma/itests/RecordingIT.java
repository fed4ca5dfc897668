// SPDX-License-Identifier: Apache-2.0
package org.verbena.rdma.itests;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.Test;
import org.ops4j.pax.exam.Configuration;
import org.ops4j.pax.exam.Option;
import org.verbena.rdma.itests.fixture.Peer;

/** The flight recorder's events of a core that is a bundle. */
public class RecordingIT extends DeviceTestBase {
    @Configuration
    public Option[] configuration() {
        return new Option[] {platform(), peer("peer")};
    }

    @Test
    public void aDeviceAndItsCallbacksAreRecorded() throws Exception {
        start("peer");
        Peer peer = new Peer(context, "peer");
        List<RecordedEvent> events;
        Path file = Files.createTempFile("recording", ".jfr");
        try (Recording recording = new Recording()) {
            recording.start();
            loopback.plug("lo1", "198.18.0.1");
            peer.establish("198.18.0.1", "198.18.0.1", peer.listen("198.18.0.1"));
            loopback.faults().pullOut("lo1").toCompletableFuture().join();
            recording.stop();
            recording.dump(file);
            events = RecordingFile.readAllEvents(file);
        } finally {
            Files.delete(file);
        }

        assertThat(events).anyMatch(event -> is(event, "DeviceUp", "device", "lo1"));
        assertThat(events).anyMatch(event -> is(event, "DeviceDown", "device", "lo1"));
        assertThat(events).anyMatch(event -> is(event, "RemovalStep", "step", "CLOSING"));
        assertThat(events).anyMatch(event -> is(event, "Callback", "bundle", "peer"));
    }

    private static boolean is(RecordedEvent event, String name, String field, String value) {
        return event.getEventType().getName().equals("org.verbena.rdma." + name)
                && value.equals(event.getString(field));
    }
}
