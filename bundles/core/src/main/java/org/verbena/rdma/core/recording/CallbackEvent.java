package org.verbena.rdma.core.recording;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** A callback of a consumer; its duration is the time in the consumer. Written by the thread that runs it. */
@Name("org.verbena.rdma.Callback")
@Label("Callback")
@Category({"Verbena", "Consumers"})
@Description("A callback of a consumer bundle: an event of a connection id, a continuation, or a listener."
        + " Its duration is the time in the consumer.")
@StackTrace(false)
final class CallbackEvent extends Event implements Recorder.CallbackRecording {
    @Label("Bundle")
    @Description("The symbolic name of the consumer bundle")
    String bundle;

    @Label("Callback")
    @Description("What it was: the id and its event, or the kind of continuation")
    String callback;

    @Label("Time in Queue")
    @Description("How long it has waited for a thread; missing if it was queued before the recording began")
    @Timespan(Timespan.NANOSECONDS)
    long waited;

    @Override
    public void end(String ofBundle, String what, long waitedNanos) {
        end();
        if (shouldCommit()) {
            bundle = ofBundle;
            callback = what;
            waited = waitedNanos < 0 ? Long.MIN_VALUE : waitedNanos;
            commit();
        }
    }
}
