package org.verbena.rdma.core.recording;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A consumer did not let go of a device in time. Written once. */
@Name("org.verbena.rdma.ForcedConsumer")
@Label("Forced Consumer")
@Category({"Verbena", "Consumers"})
@Description("A removal has taken something from a bundle that did not let go before the deadline")
@StackTrace(false)
final class ForcedConsumerEvent extends Event {
    @Label("Bundle")
    @Description("The symbolic name of the consumer bundle")
    String bundle;

    @Label("Device")
    @Description("The name of the device")
    String device;
}
