package org.verbena.rdma.provider.iwarp.peer;

import java.time.Duration;
import org.verbena.rdma.provider.iwarp.device.DeviceSettings;
import org.verbena.rdma.provider.iwarp.device.KeepAlive;
import org.verbena.rdma.provider.iwarp.mpa.CrcPolicy;
import org.verbena.rdma.provider.iwarp.mpa.MpaSettings;

/** Settings of a test's device, to be changed one by one. */
public record Settings(
        CrcPolicy crc,
        int revision,
        boolean peerToPeer,
        int maxDepth,
        long connectMillis,
        long replyMillis,
        long requestMillis,
        long closeMillis,
        long lingerMillis,
        int segmentBytes,
        int loops,
        int maxPrivateData,
        int maxHandshakes) {
    public static final Settings DEFAULTS =
            new Settings(CrcPolicy.PREFERRED, 2, false, 128, 10_000, 10_000, 10_000, 10_000, 2_000, 0, 2, 508, 1024);

    public Settings withCrc(CrcPolicy policy) {
        return new Settings(
                policy,
                revision,
                peerToPeer,
                maxDepth,
                connectMillis,
                replyMillis,
                requestMillis,
                closeMillis,
                lingerMillis,
                segmentBytes,
                loops,
                maxPrivateData,
                maxHandshakes);
    }

    public Settings withRevision(int highest) {
        return new Settings(
                crc,
                highest,
                peerToPeer,
                maxDepth,
                connectMillis,
                replyMillis,
                requestMillis,
                closeMillis,
                lingerMillis,
                segmentBytes,
                loops,
                maxPrivateData,
                maxHandshakes);
    }

    public Settings withPeerToPeer() {
        return new Settings(
                crc,
                revision,
                true,
                maxDepth,
                connectMillis,
                replyMillis,
                requestMillis,
                closeMillis,
                lingerMillis,
                segmentBytes,
                loops,
                maxPrivateData,
                maxHandshakes);
    }

    public Settings withMaxDepth(int depth) {
        return new Settings(
                crc,
                revision,
                peerToPeer,
                depth,
                connectMillis,
                replyMillis,
                requestMillis,
                closeMillis,
                lingerMillis,
                segmentBytes,
                loops,
                maxPrivateData,
                maxHandshakes);
    }

    public Settings withTimeouts(long millis) {
        return new Settings(
                crc,
                revision,
                peerToPeer,
                maxDepth,
                millis,
                millis,
                millis,
                millis,
                millis,
                segmentBytes,
                loops,
                maxPrivateData,
                maxHandshakes);
    }

    public Settings withCloseTimeout(long millis) {
        return new Settings(
                crc,
                revision,
                peerToPeer,
                maxDepth,
                connectMillis,
                replyMillis,
                requestMillis,
                millis,
                lingerMillis,
                segmentBytes,
                loops,
                maxPrivateData,
                maxHandshakes);
    }

    public Settings withSegmentBytes(int bytes) {
        return new Settings(
                crc,
                revision,
                peerToPeer,
                maxDepth,
                connectMillis,
                replyMillis,
                requestMillis,
                closeMillis,
                lingerMillis,
                bytes,
                loops,
                maxPrivateData,
                maxHandshakes);
    }

    public Settings withMaxHandshakes(int handshakes) {
        return new Settings(
                crc,
                revision,
                peerToPeer,
                maxDepth,
                connectMillis,
                replyMillis,
                requestMillis,
                closeMillis,
                lingerMillis,
                segmentBytes,
                loops,
                maxPrivateData,
                handshakes);
    }

    DeviceSettings toDevice() {
        MpaSettings mpa = new MpaSettings(
                crc,
                revision,
                peerToPeer,
                maxDepth,
                Duration.ofMillis(connectMillis),
                Duration.ofMillis(replyMillis),
                Duration.ofMillis(requestMillis));
        return new DeviceSettings(
                mpa,
                Duration.ofMillis(closeMillis),
                Duration.ofMillis(lingerMillis),
                new KeepAlive(Duration.ofSeconds(60)),
                segmentBytes,
                loops,
                maxPrivateData,
                65_536,
                maxHandshakes);
    }
}
