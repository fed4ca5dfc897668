package org.verbena.rdma.rping.sentences;

import java.net.InetSocketAddress;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.cm.CmEvent;
import org.verbena.rdma.cm.RejectReason;

/** What an event that ends a connection, or keeps it from being made, means to a person. */
public final class EventSentences {
    private EventSentences() {}

    /**
     * Says it without a full stop.
     *
     * @param event the event
     * @param peer the other end
     * @param device the name of the device
     */
    public static String of(CmEvent event, InetSocketAddress peer, String device) {
        String where = Addresses.text(peer);
        return switch (event.type()) {
            case ADDR_ERROR -> "no device leads to " + peer.getAddress().getHostAddress() + because(event.status());
            case ROUTE_ERROR -> "no route leads to " + peer.getAddress().getHostAddress() + because(event.status());
            case UNREACHABLE -> where + " does not answer" + because(event.status());
            case REJECTED -> rejected(event.rejectReason(), where);
            case CONNECT_ERROR -> "the connection with " + where + " could not be set up" + because(event.status());
            case DISCONNECTED -> where + " has ended the connection";
            case DEVICE_REMOVAL -> "device " + device + " was removed";
            default -> "unexpected event " + event.type() + because(event.status());
        };
    }

    private static String rejected(RejectReason reason, String where) {
        return switch (reason == null ? RejectReason.UNKNOWN : reason) {
            case NO_LISTENER -> "nobody listens on " + where;
            case NO_RESOURCES -> where + " has no room for another connection";
            case TIMEOUT -> where + " has given up waiting";
            case PARAMETERS -> where + " cannot do what the connection needs";
            case CONSUMER, UNKNOWN -> where + " refuses the connection";
        };
    }

    private static String because(RdmaError status) {
        return status == RdmaError.SUCCESS ? "" : ": " + status.sentence();
    }
}
