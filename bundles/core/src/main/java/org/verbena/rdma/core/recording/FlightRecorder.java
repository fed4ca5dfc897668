package org.verbena.rdma.core.recording;

import jdk.jfr.EventType;

/**
 * Records with Java Flight Recorder, which a JVM may lack. Loaded by {@link FlightRecorderLoader}, and public for that.
 *
 * <p>The type is immutable and shared by all threads; its flag is the JVM's.
 */
public final class FlightRecorder implements Recorder {
    private final EventType callbacks = EventType.getEventType(CallbackEvent.class);

    /** Made by name. */
    public FlightRecorder() {}

    @Override
    public boolean recordsCallbacks() {
        return callbacks.isEnabled();
    }

    @Override
    public CallbackRecording beginCallback() {
        if (!callbacks.isEnabled()) {
            return null;
        }
        CallbackEvent event = new CallbackEvent();
        event.begin();
        return event;
    }

    @Override
    public void deviceUp(String device, String provider, String addresses) {
        DeviceUpEvent event = new DeviceUpEvent();
        if (event.isEnabled()) {
            event.device = device;
            event.provider = provider;
            event.addresses = addresses;
            event.commit();
        }
    }

    @Override
    public RemovalRecording beginRemoval(String device, String cause) {
        return new RecordedRemoval(device, cause);
    }
}
