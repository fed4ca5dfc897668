package org.verbena.rdma.core.recording;

/** Records nothing; has no state. */
final class NoRecorder implements Recorder, Recorder.RemovalRecording {
    @Override
    public boolean recordsCallbacks() {
        return false;
    }

    @Override
    public CallbackRecording beginCallback() {
        return null;
    }

    @Override
    public void deviceUp(String device, String provider, String addresses) {}

    @Override
    public RemovalRecording beginRemoval(String device, String cause) {
        return this;
    }

    @Override
    public void step(String next) {}

    @Override
    public void forced(String bundle) {}

    @Override
    public void end(int idsTold, boolean abandoned) {}
}
