package org.verbena.rdma.core.recording;

/** A removal under way. All fields are guarded by this object's monitor, under which only the JVM's recorder is called. */
final class RecordedRemoval implements Recorder.RemovalRecording {
    private final String device;
    private final DeviceDownEvent whole = new DeviceDownEvent();
    private RemovalStepEvent current;

    RecordedRemoval(String device, String cause) {
        this.device = device;
        whole.device = device;
        whole.cause = cause;
        whole.begin();
        current = begin("MARKED");
    }

    private RemovalStepEvent begin(String step) {
        RemovalStepEvent event = new RemovalStepEvent();
        event.device = device;
        event.step = step;
        event.begin();
        return event;
    }

    @Override
    public synchronized void step(String next) {
        current.commit();
        current = begin(next);
    }

    @Override
    public synchronized void forced(String bundle) {
        whole.forced++;
        ForcedConsumerEvent event = new ForcedConsumerEvent();
        event.bundle = bundle;
        event.device = device;
        event.commit();
    }

    @Override
    public synchronized void end(int idsTold, boolean abandoned) {
        current.commit();
        whole.idsTold = idsTold;
        whole.abandoned = abandoned;
        whole.commit();
    }
}
