package org.verbena.rdma.provider.iwarp.activation;

import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;
import org.osgi.service.metatype.annotations.Option;

/** What can be configured; one configuration makes one device, or one for each interface that its pattern matches. */
@ObjectClassDefinition(
        factoryPid = Configuration.PID,
        name = "Verbena iWARP device",
        description = "An RDMA device over TCP. Without any configuration there is one, iwarp-lo, on the loopback"
                + " interface. Interfaces and addresses that come and go apply live. A change of a configuration"
                + " recreates its devices, which ends their connections; devices of other configurations notice"
                + " nothing.")
@interface Configuration {
    /** The factory PID. */
    String PID = "org.verbena.rdma.provider.iwarp";

    @AttributeDefinition(
            name = "Name",
            description = "Name of the device; empty for iwarp- and the name of the interface.",
            required = false)
    String name() default "";

    @AttributeDefinition(
            name = "Interface",
            description = "Name of a network interface, or a pattern with * and ?, which makes one device for each"
                    + " interface that matches.",
            required = false)
    String interface$() default "";

    @AttributeDefinition(
            name = "Addresses",
            description = "Addresses of the device, if it shall not have all of its interface's, or has no interface.",
            required = false)
    String[] addresses() default {};

    @AttributeDefinition(
            name = "CRC",
            description = "Checksums: required, preferred (used whenever the peer follows the standard), or off"
                    + " (used if the peer asks for them).",
            options = {@Option(value = "required"), @Option(value = "preferred"), @Option(value = "off")})
    String crc() default "preferred";

    @AttributeDefinition(
            name = "Markers",
            description =
                    "Send markers to peers that ask for them; without it such peers are refused. They cost a copy of"
                            + " all that is sent.")
    boolean markers() default true;

    @AttributeDefinition(
            name = "MPA revision",
            description = "Highest revision of the connection set-up to speak, 1 or 2. A peer of revision 1 is spoken"
                    + " to in revision 1.",
            min = "1",
            max = "2")
    int revision() default 2;

    @AttributeDefinition(
            name = "Peer-to-peer",
            description = "Ask for peer-to-peer set-up (RFC 6581) when connecting. Without it, or with a peer that"
                    + " does not know it, the accepting side may not send first.")
    boolean peerToPeer() default true;

    @AttributeDefinition(name = "Connect timeout", description = "Milliseconds that TCP may take to connect.")
    long connectTimeout() default 20_000;

    @AttributeDefinition(name = "Reply timeout", description = "Milliseconds to wait for the reply to a request.")
    long replyTimeout() default 10_000;

    @AttributeDefinition(name = "Request timeout", description = "Milliseconds to wait for the request of a peer.")
    long requestTimeout() default 5_000;

    @AttributeDefinition(
            name = "Close timeout",
            description = "Milliseconds that a disconnect in good order may take before the connection is cut.")
    long closeTimeout() default 5_000;

    @AttributeDefinition(
            name = "Linger time",
            description = "Milliseconds that the last word on a connection, a Terminate or a rejection, may take.")
    long lingerTime() default 2_000;

    @AttributeDefinition(
            name = "Keep-alive",
            description = "Seconds that a connection may be silent before TCP asks whether the peer is still there;"
                    + " 0 never asks.")
    int keepAlive() default 0;

    @AttributeDefinition(
            name = "Send buffer",
            description = "Bytes that TCP buffers of what a connection sends (SO_SNDBUF); 0 leaves it to the operating"
                    + " system, which adapts it.")
    int sendBuffer() default 0;

    @AttributeDefinition(
            name = "Receive buffer",
            description =
                    "Bytes that TCP buffers of what a connection receives (SO_RCVBUF); 0 leaves it to the operating"
                            + " system, which adapts it.")
    int receiveBuffer() default 0;

    @AttributeDefinition(
            name = "Segment size",
            description = "Bytes of a frame, 512 to 65496; 0 takes it from the MTU of the interface.")
    int segmentSize() default 0;

    @AttributeDefinition(
            name = "Loop threads",
            description =
                    "Threads that serve the connections; 0 for a default. They are called verbena-DEVICE-0 and so on,"
                            + " by which the operating system's tools find them to give them processors of their own.")
    int loopThreads() default 0;

    @AttributeDefinition(
            name = "Spin",
            description = "Microseconds that a loop thread looks for work before it sleeps. Shortens the way of a"
                    + " message, and costs a processor per thread.")
    int spin() default 0;

    @AttributeDefinition(
            name = "Pollers",
            description =
                    "Have threads that poll a completion queue again and again do the work of its connections"
                            + " themselves, instead of waking a loop thread for each message. What such a thread posts goes out"
                            + " with its next poll, or after two milliseconds if it polls no more. Not where loop threads spin.")
    boolean pollers() default false;

    @AttributeDefinition(
            name = "Reads",
            description = "Reads that are served or started at a time on a connection, at most.",
            min = "0",
            max = "128")
    int maxReads() default 128;

    @AttributeDefinition(
            name = "Immediate data and atomics",
            description =
                    "Offer the operations of RFC 7306. A peer is asked whether it takes them, in a way that others"
                            + " do not notice, when the first of them is posted on a connection.")
    boolean extensions() default true;

    @AttributeDefinition(
            name = "Private data",
            description = "Bytes of private data to offer. Linux siw does not take more than 251; the standard"
                    + " allows 508.",
            min = "0",
            max = "508")
    int maxPrivateData() default 251;

    @AttributeDefinition(name = "Queue pairs", description = "Queue pairs of the device, at most.")
    int maxQueuePairs() default 65_536;

    @AttributeDefinition(
            name = "Handshakes",
            description = "Peers of a listener that may have connected and not sent their request yet; beyond it the"
                    + " oldest is dropped.")
    int maxHandshakes() default 1_024;

    @AttributeDefinition(
            name = "Ranking",
            description = "Of two devices with the same address, that of the higher ranking serves it.")
    int service_ranking() default 0;
}
