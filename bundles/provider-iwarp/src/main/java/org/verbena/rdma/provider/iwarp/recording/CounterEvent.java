package org.verbena.rdma.provider.iwarp.recording;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;

/** What a device has counted so far, one event for each counter that is not zero, now and then. Written once. */
@Name("org.verbena.rdma.iwarp.Counter")
@Label("Counter")
@Category({"Verbena", "iWARP"})
@Description("What a device has counted since it was opened")
@Period("10 s")
@StackTrace(false)
final class CounterEvent extends Event {
    @Label("Device")
    @Description("The name of the device")
    String device;

    @Label("Counter")
    @Description("What is counted, as in the shell's tables")
    String counter;

    @Label("Value")
    long value;
}
