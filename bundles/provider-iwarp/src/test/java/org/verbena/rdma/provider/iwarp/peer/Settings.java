package org.verbena.rdma.provider.iwarp.peer;

import java.time.Duration;
import java.util.function.Consumer;
import org.verbena.rdma.provider.iwarp.device.DeviceSettings;
import org.verbena.rdma.provider.iwarp.device.KeepAlive;
import org.verbena.rdma.provider.iwarp.device.SocketBuffers;
import org.verbena.rdma.provider.iwarp.mpa.CrcPolicy;
import org.verbena.rdma.provider.iwarp.mpa.MpaSettings;

/** Settings of a test's device; each change makes a copy. */
public final class Settings implements Cloneable {
    /** Settings that let no test fail for want of time. */
    public static final Settings DEFAULTS = new Settings();

    private CrcPolicy crc = CrcPolicy.PREFERRED;
    private boolean markers = true;
    private int revision = 2;
    private boolean peerToPeer;
    private int maxDepth = 128;
    private long handshakeMillis = 10_000;
    private long closeMillis = 10_000;
    private int segmentBytes;
    private int spinMicros;
    private int maxHandshakes = 1_024;
    private boolean pollers = true;
    private boolean extensions = true;

    private Settings() {}

    private Settings with(Consumer<Settings> change) {
        try {
            Settings copy = (Settings) clone();
            change.accept(copy);
            return copy;
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
    }

    public Settings withCrc(CrcPolicy policy) {
        return with(copy -> copy.crc = policy);
    }

    public Settings withRevision(int highest) {
        return with(copy -> copy.revision = highest);
    }

    public Settings withPeerToPeer() {
        return with(copy -> copy.peerToPeer = true);
    }

    public Settings withMaxDepth(int depth) {
        return with(copy -> copy.maxDepth = depth);
    }

    public Settings withHandshakeTimeouts(long millis) {
        return with(copy -> copy.handshakeMillis = millis);
    }

    public Settings withCloseTimeout(long millis) {
        return with(copy -> copy.closeMillis = millis);
    }

    public Settings withSegmentBytes(int bytes) {
        return with(copy -> copy.segmentBytes = bytes);
    }

    public Settings withSpin(int micros) {
        return with(copy -> copy.spinMicros = micros);
    }

    public Settings withoutPollers() {
        return with(copy -> copy.pollers = false);
    }

    public Settings withMaxHandshakes(int handshakes) {
        return with(copy -> copy.maxHandshakes = handshakes);
    }

    public Settings withoutMarkers() {
        return with(copy -> copy.markers = false);
    }

    public Settings withoutExtensions() {
        return with(copy -> copy.extensions = false);
    }

    DeviceSettings toDevice() {
        Duration handshake = Duration.ofMillis(handshakeMillis);
        return new DeviceSettings(
                new MpaSettings(crc, markers, revision, peerToPeer, maxDepth, handshake, handshake, handshake),
                Duration.ofMillis(closeMillis),
                Duration.ofSeconds(2),
                new KeepAlive(Duration.ofSeconds(60)),
                new SocketBuffers(300_000, 200_000),
                segmentBytes,
                2,
                Duration.ofNanos(1_000L * spinMicros),
                pollers,
                extensions,
                508,
                65_536,
                maxHandshakes);
    }
}
