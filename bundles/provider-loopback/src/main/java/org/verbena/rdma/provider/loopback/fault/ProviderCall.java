package org.verbena.rdma.provider.loopback.fault;

/** The calls that a provider takes. */
public enum ProviderCall {
    /** {@code ProviderDevice.open}. */
    OPEN,
    /** {@code ProviderDevice.close}. */
    CLOSE,
    /** {@code ProviderDevice.createProtectionDomain}. */
    CREATE_PROTECTION_DOMAIN,
    /** {@code ProviderDevice.createCompletionQueue}. */
    CREATE_COMPLETION_QUEUE,
    /** {@code ProviderDevice.listen}. */
    LISTEN,
    /** {@code ProviderDevice.resolve}. */
    RESOLVE,
    /** {@code ProviderDevice.queryPath}. */
    QUERY_PATH,
    /** {@code ProviderProtectionDomain.registerMemory}. */
    REGISTER_MEMORY,
    /** {@code ProviderProtectionDomain.createSharedReceiveQueue}. */
    CREATE_SHARED_RECEIVE_QUEUE,
    /** {@code ProviderProtectionDomain.close}. */
    CLOSE_PROTECTION_DOMAIN,
    /** {@code ProviderMemoryRegion.close}. */
    CLOSE_MEMORY_REGION,
    /** {@code ProviderSharedReceiveQueue.postReceive}. */
    POST_SHARED_RECEIVE,
    /** {@code ProviderSharedReceiveQueue.close}. */
    CLOSE_SHARED_RECEIVE_QUEUE,
    /** {@code ProviderCompletionQueue.poll}. */
    POLL,
    /** {@code ProviderCompletionQueue.requestNotification}. */
    REQUEST_NOTIFICATION,
    /** {@code ProviderCompletionQueue.close}. */
    CLOSE_COMPLETION_QUEUE,
    /** {@code ProviderQueuePair.postSend}. */
    POST_SEND,
    /** {@code ProviderQueuePair.postReceive}. */
    POST_RECEIVE,
    /** {@code ProviderQueuePair.fail}. */
    FAIL_QUEUE_PAIR,
    /** {@code ProviderQueuePair.close}. */
    CLOSE_QUEUE_PAIR,
    /** {@code ProviderListener.close}. */
    CLOSE_LISTENER,
    /** {@code ProviderPathQuery.close}. */
    CLOSE_PATH_QUERY,
    /** {@code Endpoint.resolveRoute}. */
    RESOLVE_ROUTE,
    /** {@code Endpoint.createQueuePair}. */
    CREATE_QUEUE_PAIR,
    /** {@code Endpoint.connect}. */
    CONNECT,
    /** {@code Endpoint.establish}. */
    ESTABLISH,
    /** {@code Endpoint.communicationEstablished}. */
    COMMUNICATION_ESTABLISHED,
    /** {@code Endpoint.accept}. */
    ACCEPT,
    /** {@code Endpoint.reject}. */
    REJECT,
    /** {@code Endpoint.disconnect}. */
    DISCONNECT,
    /** {@code Endpoint.close}. */
    CLOSE_ENDPOINT,
    /** {@code readCounters} of a device or a queue pair. It can be held and nothing else. */
    READ_COUNTERS,
    /** A call that only reads something, such as {@code ProviderQueuePair.state}. It can be held and nothing else. */
    READ
}
