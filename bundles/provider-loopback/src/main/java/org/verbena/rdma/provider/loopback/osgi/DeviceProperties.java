package org.verbena.rdma.provider.loopback.osgi;

import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;
import org.osgi.service.metatype.annotations.Option;

/** The properties of a configuration, for whoever edits them. {@link DeviceReader} reads them. */
@ObjectClassDefinition(
        name = "Verbena loopback device",
        description =
                "An RDMA device within this JVM. There is one for each configuration, and none without. Changes of"
                        + " addresses and link apply live, any other change recreates the device.",
        factoryPid = DeviceProperties.PID)
@interface DeviceProperties {
    /** The PID of the factory. */
    String PID = "org.verbena.rdma.provider.loopback";

    /**
     * Returns the name.
     *
     * @return a short word
     */
    @AttributeDefinition(
            name = "Name",
            description = "Unique on this machine, without spaces. By default what follows ~ in the PID.",
            required = false)
    String name() default "";

    /**
     * Returns the addresses.
     *
     * @return literals
     */
    @AttributeDefinition(
            name = "Addresses",
            description = "Of 198.18.0.0/15 or 100::/64, which no operating system has. Applies live.")
    String[] addresses();

    /**
     * Returns the state of the link.
     *
     * @return up or down
     */
    @AttributeDefinition(
            name = "Link",
            description = "Whether connections can be set up. Applies live.",
            options = {@Option(label = "up", value = "up"), @Option(label = "down", value = "down")})
    String link() default "up";

    /**
     * Returns the ranking.
     *
     * @return the higher one serves
     */
    @AttributeDefinition(
            name = "Ranking",
            description = "Of several devices that have one address, the one with the highest ranking serves it.")
    int service_ranking() default 0;

    /**
     * Returns whether private data is padded.
     *
     * @return as on InfiniBand
     */
    @AttributeDefinition(
            name = "Pad private data",
            description = "Whether private data arrives padded with zeros to the size of its field.")
    boolean private_data_padded() default false;

    /**
     * Returns the limit for requests.
     *
     * @return bytes
     */
    @AttributeDefinition(name = "Private data of a request", description = "The most bytes.", min = "0")
    int private_data_request() default 56;

    /**
     * Returns the limit for replies.
     *
     * @return bytes
     */
    @AttributeDefinition(name = "Private data of a reply", description = "The most bytes.", min = "0")
    int private_data_reply() default 196;

    /**
     * Returns the limit for refusals.
     *
     * @return bytes
     */
    @AttributeDefinition(name = "Private data of a refusal", description = "The most bytes.", min = "0")
    int private_data_reject() default 148;

    /**
     * Returns the limit for queue pairs.
     *
     * @return how many
     */
    @AttributeDefinition(name = "Queue pairs", description = "How many there may be.", min = "1")
    int max_queue_pairs() default 65536;

    /**
     * Returns the limit for work requests.
     *
     * @return how many
     */
    @AttributeDefinition(name = "Work requests", description = "How many a queue may hold.", min = "1")
    int max_work_requests() default 16384;

    /**
     * Returns the limit for segments.
     *
     * @return how many
     */
    @AttributeDefinition(name = "Segments", description = "How many a work request may have.", min = "1")
    int max_segments() default 16;

    /**
     * Returns the limit for completion queues.
     *
     * @return how many entries
     */
    @AttributeDefinition(
            name = "Completion queue entries",
            description = "How many a completion queue may have.",
            min = "1")
    int max_completion_queue_entries() default 65536;

    /**
     * Returns the limit for messages.
     *
     * @return bytes
     */
    @AttributeDefinition(name = "Message size", description = "The longest message, in bytes.", min = "1")
    long max_message_size() default 1L << 30;

    /**
     * Returns the limit for inline data.
     *
     * @return bytes
     */
    @AttributeDefinition(name = "Inline data", description = "The longest inline data, in bytes.", min = "0")
    int max_inline_data() default 256;

    /**
     * Returns the limit for responder resources.
     *
     * @return how many
     */
    @AttributeDefinition(
            name = "Responder resources",
            description = "How many reads and atomics of a peer are served at a time.",
            min = "0",
            max = "254")
    int max_responder_resources() default 16;

    /**
     * Returns the limit for the initiator depth.
     *
     * @return how many
     */
    @AttributeDefinition(
            name = "Initiator depth",
            description = "How many reads and atomics are started at a time.",
            min = "0",
            max = "254")
    int max_initiator_depth() default 16;

    /**
     * Returns how long to wait for an answer.
     *
     * @return milliseconds
     */
    @AttributeDefinition(
            name = "Connect timeout",
            description = "After how many milliseconds an address that nobody has is unreachable.",
            min = "1")
    long timeout_connect() default 1000;

    /**
     * Returns how long to wait for sends.
     *
     * @return milliseconds
     */
    @AttributeDefinition(
            name = "Disconnect timeout",
            description = "After how many milliseconds a connection ends although sends are outstanding.",
            min = "1")
    long timeout_disconnect() default 1000;

    /**
     * Returns how long to wait for a receive.
     *
     * @return milliseconds
     */
    @AttributeDefinition(
            name = "Receiver not ready",
            description = "How many milliseconds one try waits for the peer to post a receive.",
            min = "1")
    long timeout_receiver_not_ready() default 10;

    /**
     * Returns how long the time-wait state lasts.
     *
     * @return milliseconds
     */
    @AttributeDefinition(
            name = "Time-wait",
            description = "How many milliseconds a queue pair is in the time-wait state; 0 for no such state.",
            min = "0")
    long timewait() default 0;
}
