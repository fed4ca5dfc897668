package org.verbena.rdma.core.verbs;

/** The kinds of verbs objects, in the order in which they are closed: what depends on others first. */
enum Kind {
    QUEUE_PAIR("queue pair"),
    SHARED_RECEIVE_QUEUE("shared receive queue"),
    MEMORY_REGION("memory region"),
    COMPLETION_QUEUE("completion queue"),
    COMPLETION_CHANNEL("completion channel"),
    PROTECTION_DOMAIN("protection domain");

    private final String words;

    Kind(String words) {
        this.words = words;
    }

    @Override
    public String toString() {
        return words;
    }
}
