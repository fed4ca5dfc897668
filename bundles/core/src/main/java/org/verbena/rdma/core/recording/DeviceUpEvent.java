package org.verbena.rdma.core.recording;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A device has come. Written once. */
@Name("org.verbena.rdma.DeviceUp")
@Label("Device Up")
@Category({"Verbena", "Devices"})
@Description("A device has come and serves")
@StackTrace(false)
final class DeviceUpEvent extends Event {
    @Label("Device")
    @Description("The name of the device")
    String device;

    @Label("Provider")
    @Description("The name of its provider")
    String provider;

    @Label("Addresses")
    @Description("Its addresses when it came")
    String addresses;
}
