package org.verbena.rdma.provider.iwarp.recording;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A connection has ended, with what it has carried. Written once. */
@Name("org.verbena.rdma.iwarp.ConnectionEnd")
@Label("Connection End")
@Category({"Verbena", "iWARP"})
@Description("A connection has ended")
@StackTrace(false)
final class ConnectionEndEvent extends Event {
    @Label("Device")
    @Description("The name of the device")
    String device;

    @Label("Local")
    @Description("Own address and port")
    String local;

    @Label("Peer")
    @Description("Address and port of the peer")
    String peer;

    @Label("Status")
    @Description("SUCCESS for an end in good order")
    String status;

    @Label("Messages Out")
    @Description("Operations that this side has begun")
    long messagesOut;

    @Label("Messages In")
    @Description("Operations that the peer has begun")
    long messagesIn;

    @Label("Bytes Out")
    @Description("What the operations of this side have moved")
    @DataAmount
    long bytesOut;

    @Label("Bytes In")
    @Description("What the operations of the peer have moved")
    @DataAmount
    long bytesIn;

    /** Takes a counter of the connection. */
    void count(String name, long value) {
        boolean out = name.endsWith(".out");
        if (name.startsWith("messages.")) {
            messagesOut += out ? value : 0;
            messagesIn += out ? 0 : value;
        } else if (name.startsWith("bytes.")) {
            bytesOut += out ? value : 0;
            bytesIn += out ? 0 : value;
        }
    }
}
