package org.verbena.rdma.core.recording;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A removal, from the mark to its end. Guarded by {@link RecordedRemoval}. */
@Name("org.verbena.rdma.DeviceDown")
@Label("Device Down")
@Category({"Verbena", "Devices"})
@Description("A device has been removed; the duration is that of the removal")
@StackTrace(false)
final class DeviceDownEvent extends Event {
    @Label("Device")
    @Description("The name of the device")
    String device;

    @Label("Cause")
    @Description("What has started the removal")
    String cause;

    @Label("Ids Told")
    @Description("How many connection ids were told DEVICE_REMOVAL")
    int idsTold;

    @Label("Forced")
    @Description("How many bundles had something taken by force")
    int forced;

    @Label("Abandoned")
    @Description("Whether a call into the provider did not come back, so that the device was given up")
    boolean abandoned;
}
