package org.verbena.rdma.core.recording;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** One step of a removal. Guarded by {@link RecordedRemoval}. */
@Name("org.verbena.rdma.RemovalStep")
@Label("Removal Step")
@Category({"Verbena", "Devices"})
@Description("A step of the removal of a device")
@StackTrace(false)
final class RemovalStepEvent extends Event {
    @Label("Device")
    @Description("The name of the device")
    String device;

    @Label("Step")
    @Description("What the removal did, as in the snapshots of the monitor")
    String step;
}
