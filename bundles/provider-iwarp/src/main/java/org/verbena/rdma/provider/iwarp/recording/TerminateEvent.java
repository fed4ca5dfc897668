package org.verbena.rdma.provider.iwarp.recording;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A Terminate was sent or has come (RFC 5040, section 4.8). Written once. */
@Name("org.verbena.rdma.iwarp.Terminate")
@Label("Terminate")
@Category({"Verbena", "iWARP"})
@Description("A Terminate message was sent, or has come")
@StackTrace(false)
final class TerminateEvent extends Event {
    @Label("Device")
    @Description("The name of the device")
    String device;

    @Label("Peer")
    @Description("Address and port of the peer")
    String peer;

    @Label("Sent")
    @Description("Whether this side has sent it")
    boolean sent;

    @Label("Layer")
    @Description("Who has found the error: rdmap, ddp or llp")
    String layer;

    @Label("Error Type")
    int errorType;

    @Label("Error Code")
    int errorCode;
}
