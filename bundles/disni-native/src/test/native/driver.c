// Runs the natives of LibDisni without a JVM: first what needs no device, then, given a device and an address of it,
// connections of the device with itself, ended in every order.
//
//   driver [DEVICE ADDRESS [BLACKHOLE]]
//
// At BLACKHOLE, if it is given, nobody may answer.
#include <arpa/inet.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "java.h"
#include "org_verbena_rdma_disni_ConnectionNatives.h"
#include "org_verbena_rdma_disni_LibDisni.h"
#include "org_verbena_rdma_disni_VerbsNatives.h"

#define CALL(name, ...) Java_org_verbena_rdma_disni_LibDisni_##name(env, NULL, ##__VA_ARGS__)
#define VERBS(name) org_verbena_rdma_disni_VerbsNatives_##name
#define CM(name) org_verbena_rdma_disni_ConnectionNatives_##name
#define CHECK(what, condition)                                                   \
    do {                                                                         \
        if (!(condition)) {                                                      \
            printf("%s:%d: %s: not %s\n", __FILE__, __LINE__, what, #condition); \
            exit(1);                                                             \
        }                                                                        \
    } while (0)

enum { RESOLVED = 0, ROUTED = 2, REQUEST = 4, RESPONSE = 5, REJECTED = 8, ESTABLISHED = 9, DISCONNECTED = 10 };
enum { LISTENER = 1, CLIENT = 2, SERVER = 3 };
enum { BUFFER = 4096, PORT = 7471, TCP = 0x106 };

static JNIEnv *env;
static bool iwarp;

static void check_without_device(void) {
    CHECK("version", CALL(version) == org_verbena_rdma_disni_LibDisni_VERSION);
    jintArray layout = CALL(layout);
    CHECK("layout", java_length(layout) > 5);
    java_free(layout);

    jstring trouble = CALL(openLibraries);
    if (trouble != NULL) {
        printf("skipped: %s\n", (char *)java_content(trouble));
        exit(77);
    }
    jobject versions = CALL(versions);
    CHECK("versions", strstr(java_content(versions), "librdmacm") != NULL);
    java_free(versions);

    jobjectArray names = CALL(deviceNames);
    jobject *each = names == NULL ? NULL : java_content(names);
    for (jsize i = 0; names != NULL && i < java_length(names); i++) {
        java_free(each[i]);
    }
    if (names != NULL) {
        java_free(names);
    }

    jstring nowhere = java_string("nowhere0");
    CHECK("a device that is not there", CALL(openDevice, nowhere) < 0);
    CHECK("its interface", CALL(networkInterface, nowhere, 1) == NULL);
    java_free(nowhere);

    jint waker = CALL(createWaker);
    CHECK("waker", waker >= 0);
    CHECK("wake", CALL(wake, waker) == 0);
    CHECK("await", CALL(await, -1, -1, waker) == 4);
    CHECK("calm", CALL(calm, waker) == 0 && CALL(calm, waker) == 0);
    CHECK("close", CALL(closeWaker, waker) == 0);

    jlong call = CALL(createCall);
    jbyteArray nothing = java_bytes(NULL, 0);
    jbyteArray much = java_bytes(NULL, 256);
    CALL(interruptCall, call);
    CHECK("an interrupted call", CALL(connect, call, 0, 0, nothing, 1, 1, 1, 1) == -4);
    CALL(freeCall, call);
    CHECK("too much private data", CALL(reject, 0, much) == -90);
    java_free(nothing);
    java_free(much);
    CHECK("release", CALL(releaseDevices) == 0);
    CHECK("open again", CALL(openLibraries) == NULL);
}

// One end of a connection.
struct end {
    jlong id;
    jlong queue_pair;
    jint number;
};

static struct {
    jlong context, channel, domain, completion_channel, queue, region;
    jobject buffer, record, completions;
    jbyteArray address;
    jint keys[2];
} device;

static jbyteArray address(const char *text, int port) {
    unsigned char record[24] = {4, 0, (unsigned char)(port >> 8), (unsigned char)port};
    CHECK("address", inet_pton(AF_INET, text, record + 8) == 1);
    return java_bytes(record, sizeof(record));
}

static void open_device(const char *name, const char *local) {
    jstring string = java_string(name);
    jlongArray attributes = java_longs(VERBS(DEVICE_ATTRIBUTES));
    jlongArray port = java_longs(VERBS(PORT_ATTRIBUTES));
    jintArray ints = java_ints(2);
    jstring interface = CALL(networkInterface, string, 1);
    CHECK("interface", interface != NULL);
    printf("interface %s\n", (char *)java_content(interface));
    java_free(interface);
    device.context = CALL(openDevice, string);
    CHECK("open", device.context > 0);
    CHECK("query", CALL(queryDevice, device.context, attributes) == 0);
    CHECK("query port", CALL(queryPort, device.context, 1, port) == 0);
    iwarp = ((jlong *)java_content(attributes))[VERBS(DEVICE_TRANSPORT)] == 1;
    CHECK("no asynchronous event", CALL(readAsyncEvent, device.context, ints) == -11);
    device.channel = CALL(createChannel);
    CHECK("channel", device.channel > 0);
    device.domain = CALL(allocateDomain, device.context);
    CHECK("domain", device.domain > 0);
    device.completion_channel = CALL(createCompletionChannel, device.context);
    CHECK("completion channel", device.completion_channel > 0);
    device.queue = CALL(createCompletionQueue, device.context, 64, 5, device.completion_channel, ints);
    CHECK("completion queue", device.queue > 0 && *(jint *)java_content(ints) >= 64);
    CHECK("no completion event", CALL(readCompletionEvent, device.completion_channel) == -11);
    device.buffer = java_buffer(BUFFER);
    device.region = CALL(registerMemory, device.domain, device.buffer, BUFFER, 7, ints);
    CHECK("region", device.region > 0 && java_global_references() == 1);
    memcpy(device.keys, java_content(ints), sizeof(device.keys));
    device.record = java_buffer(CM(EVENT_BYTES));
    device.completions = java_buffer(VERBS(MAX_POLL) * VERBS(COMPLETION_BYTES));
    device.address = address(local, PORT);
    java_free(string);
    java_free(attributes);
    java_free(port);
    java_free(ints);
}

static void close_device(void) {
    CHECK("deregister", CALL(deregisterMemory, device.region) == 0 && java_global_references() == 0);
    CHECK("destroy completion queue", CALL(destroyCompletionQueue, device.queue) == 0);
    CHECK("destroy completion channel", CALL(destroyCompletionChannel, device.completion_channel) == 0);
    CHECK("free domain", CALL(freeDomain, device.domain) == 0);
    CALL(destroyChannel, device.channel);
    CHECK("close", CALL(closeDevice, device.context) == 0);
    CHECK("release", CALL(releaseDevices) == 0);
    java_free(device.buffer);
    java_free(device.record);
    java_free(device.completions);
    java_free(device.address);
}

static int word(int offset) {
    int value;
    memcpy(&value, (char *)java_content(device.record) + offset, sizeof(value));
    return value;
}

static jlong long_word(int offset) {
    jlong value;
    memcpy(&value, (char *)java_content(device.record) + offset, sizeof(value));
    return value;
}

// Reads the next event, which must be of a type and for a token.
static void expect(int type, jlong token) {
    jlong record = CALL(address, device.record);
    jint waker = CALL(createWaker);
    jint descriptor = CALL(channelDescriptor, device.channel);
    jint result;
    while ((result = CALL(readEvent, device.channel, record)) == -11) {
        CHECK("wait", CALL(await, descriptor, -1, waker) == 1);
    }
    CALL(closeWaker, waker);
    CHECK("read", result == 0);
    if (word(CM(EVENT_TYPE)) != type || long_word(CM(EVENT_TOKEN)) != token) {
        printf("event %d status %d of %lld, not %d of %lld\n", word(CM(EVENT_TYPE)), word(CM(EVENT_STATUS)),
               (long long)long_word(CM(EVENT_TOKEN)), type, (long long)token);
        exit(1);
    }
}

// Takes what has come and is of no interest.
static void take_events(void) {
    jlong record = CALL(address, device.record);
    while (CALL(readEvent, device.channel, record) == 0) {
    }
}

static void make_queue_pair(struct end *end) {
    jintArray sizes = java_ints(VERBS(QP_SIZES));
    jint *size = java_content(sizes);
    size[VERBS(QP_SENDS)] = 8;
    size[VERBS(QP_RECEIVES)] = 8;
    size[VERBS(QP_SEND_SEGMENTS)] = 6;
    size[VERBS(QP_RECEIVE_SEGMENTS)] = 6;
    end->queue_pair = CALL(createQueuePair, device.domain, device.queue, device.queue, 0, sizes);
    CHECK("queue pair", end->queue_pair > 0);
    end->number = size[VERBS(QP_NUMBER)];
    CHECK("initialize", CALL(initialize, end->id, end->queue_pair) == 0);
    java_free(sizes);
}

static jlong make_listener(void) {
    jlong listener = CALL(createId, device.channel, TCP, LISTENER);
    CHECK("listener", listener > 0);
    CHECK("reuse", CALL(setOption, listener, CM(OPTION_REUSE_ADDRESS), 1) == 0);
    CHECK("bind", CALL(bind, listener, device.address) == 0);
    jstring name = CALL(device, listener);
    CHECK("device", name != NULL);
    java_free(name);
    CHECK("listen", CALL(listen, listener, 4) == 0);
    return listener;
}

static void resolve(struct end *client) {
    client->id = CALL(createId, device.channel, TCP, CLIENT);
    CHECK("id", client->id > 0);
    CHECK("type of service", CALL(setOption, client->id, CM(OPTION_TYPE_OF_SERVICE), 8) == 0);
    CHECK("resolve", CALL(resolveAddress, client->id, NULL, device.address, 2000) == 0);
    expect(RESOLVED, CLIENT);
    CHECK("route", CALL(resolveRoute, client->id, 2000) == 0);
    expect(ROUTED, CLIENT);
    jintArray route = java_ints(CM(ROUTE_ATTRIBUTES));
    CALL(route, client->id, route);
    java_free(route);
}

static void connect_to(struct end *client, const char *data) {
    jbyteArray bytes = java_bytes(data, (jsize)strlen(data));
    jlong call = CALL(createCall);
    CHECK("connect", CALL(connect, call, client->id, client->number, bytes, 2, 2, 7, 7) == 0);
    CALL(freeCall, call);
    java_free(bytes);
}

static void take_request(struct end *server) {
    expect(REQUEST, LISTENER);
    server->id = long_word(CM(EVENT_NEW_ID));
    CHECK("new id", server->id != 0);
    CHECK("private data", memcmp((char *)java_content(device.record) + CM(EVENT_PRIVATE_DATA), "hello", 5) == 0);
    CALL(setToken, server->id, SERVER);
    jbyteArray peer = java_bytes(NULL, CM(ADDRESS_BYTES));
    CALL(peerAddress, server->id, peer);
    CHECK("peer", *(char *)java_content(peer) == 4);
    CALL(localAddress, server->id, peer);
    java_free(peer);
}

static void accept_request(struct end *server) {
    jbyteArray bytes = java_bytes("welcome", 7);
    if (!iwarp) {
        CHECK("ready", CALL(ready, server->id, server->queue_pair, 2, 2) == 0);
    }
    CHECK("accept", CALL(accept, server->id, server->number, bytes, 2, 2, 7) == 0);
    java_free(bytes);
}

// The two ends hear of it in any order.
static void expect_established(struct end *client) {
    if (iwarp) {
        bool told[4] = {false};
        for (int i = 0; i < 2; i++) {
            jlong record = CALL(address, device.record);
            while (CALL(readEvent, device.channel, record) == -11) {
                struct pollfd waited = {.fd = CALL(channelDescriptor, device.channel), .events = POLLIN};
                poll(&waited, 1, -1);
            }
            CHECK("established", word(CM(EVENT_TYPE)) == ESTABLISHED);
            told[long_word(CM(EVENT_TOKEN))] = true;
        }
        CHECK("both", told[CLIENT] && told[SERVER]);
    } else {
        expect(RESPONSE, CLIENT);
        CHECK("ready", CALL(ready, client->id, client->queue_pair, -1, -1) == 0);
        CHECK("establish", CALL(establish, client->id) == 0);
        expect(ESTABLISHED, SERVER);
    }
}

struct segment {
    uint64_t address;
    uint32_t length;
    uint32_t key;
};

static void poll_one(jlong number, int status) {
    struct timespec pause = {.tv_nsec = 1000000};
    jlong records = CALL(address, device.completions);
    for (int i = 0; i < 10000; i++) {
        jint count = CALL(poll, device.queue, records, 1);
        CHECK("poll", count >= 0);
        if (count == 1) {
            jlong got;
            jint got_status;
            memcpy(&got, java_content(device.completions), sizeof(got));
            memcpy(&got_status, (char *)java_content(device.completions) + 8, sizeof(got_status));
            if (got != number || got_status != status) {
                printf("completion %lld status %d, not %lld status %d\n", (long long)got, got_status,
                       (long long)number, status);
                exit(1);
            }
            return;
        }
        nanosleep(&pause, NULL);
    }
    CHECK("completion", false);
}

static void transfer(struct end *client, struct end *server) {
    struct segment segments[6];
    uint64_t base = (uint64_t)CALL(address, device.buffer);
    char *content = java_content(device.buffer);
    for (unsigned i = 0; i < 6; i++) {
        segments[i] = (struct segment){base + 2048 + 8 * i, 8, (uint32_t)device.keys[0]};
    }
    CHECK("post receive", CALL(postReceive, server->queue_pair, 1, (jlong)(uintptr_t)segments, 6) == 0);
    for (unsigned i = 0; i < 6; i++) {
        segments[i] = (struct segment){base + 8 * i, 8, (uint32_t)device.keys[0]};
        memset(content + 8 * i, (int)('a' + i), 8);
    }
    CHECK("notification", CALL(requestNotification, device.queue, 0) == 0);
    CHECK("post send", CALL(postSend, client->queue_pair, 2, 2, 2, 0, 0, 0, 0, 0, (jlong)(uintptr_t)segments, 6) == 0);
    // Either of the two may be reported first.
    struct timespec pause = {.tv_nsec = 1000000};
    jlong records = CALL(address, device.completions);
    int done = 0;
    while (done < 2) {
        jint count = CALL(poll, device.queue, records, 8);
        CHECK("poll", count >= 0);
        for (jint i = 0; i < count; i++) {
            jint status;
            memcpy(&status, (char *)java_content(device.completions) + i * VERBS(COMPLETION_BYTES) + 8, 4);
            CHECK("status", status == 0);
        }
        done += count;
        nanosleep(&pause, NULL);
    }
    CHECK("content", memcmp(content, content + 2048, 48) == 0);
    CHECK("completion event", CALL(readCompletionEvent, device.completion_channel) == 5);

    struct segment sink = {base + 1024, 64, (uint32_t)device.keys[0]};
    CHECK("post read", CALL(postSend, client->queue_pair, 3, 4, 2, 0, (jlong)(base + 2048), device.keys[1], 0, 0,
                            (jlong)(uintptr_t)&sink, 1) == 0);
    poll_one(3, 0);
    CHECK("read", memcmp(content + 1024, content + 2048, 48) == 0);
}

static void destroy_end(struct end *end) {
    if (end->queue_pair != 0) {
        CHECK("destroy queue pair", CALL(destroyQueuePair, end->queue_pair) == 0);
    }
    CHECK("destroy id", CALL(destroyId, end->id) == 0);
}

static void connection(bool disconnect, bool client_first) {
    struct end client = {0};
    struct end server = {0};
    jlong listener = make_listener();
    resolve(&client);
    make_queue_pair(&client);
    connect_to(&client, "hello");
    take_request(&server);
    make_queue_pair(&server);
    accept_request(&server);
    expect_established(&client);
    transfer(&client, &server);
    CHECK("destroy listener", CALL(destroyId, listener) == 0);
    CHECK("state", CALL(queuePairState, client.queue_pair) >= 0);
    struct segment sink = {(uint64_t)CALL(address, device.buffer), 8, (uint32_t)device.keys[0]};
    CHECK("post receive", CALL(postReceive, client.queue_pair, 9, (jlong)(uintptr_t)&sink, 1) == 0);
    if (disconnect) {
        CHECK("disconnect", CALL(disconnect, client.id) == 0);
        CHECK("fail", CALL(failQueuePair, client.queue_pair) == 0);
        poll_one(9, 5);
    }
    destroy_end(client_first ? &client : &server);
    destroy_end(client_first ? &server : &client);
    jlong completions = CALL(address, device.completions);
    // What the device still has of the two goes with the queue pairs or is taken here.
    CALL(poll, device.queue, completions, 32);
    take_events();
}

static void rejection(void) {
    struct end client = {0};
    struct end server = {0};
    jbyteArray bytes = java_bytes("no", 2);
    jlong listener = make_listener();
    resolve(&client);
    make_queue_pair(&client);
    connect_to(&client, "hello");
    take_request(&server);
    CHECK("reject", CALL(reject, server.id, bytes) == 0);
    expect(REJECTED, CLIENT);
    destroy_end(&server);
    destroy_end(&client);
    CHECK("destroy listener", CALL(destroyId, listener) == 0);
    java_free(bytes);
}

static void listener_goes_with_a_request(void) {
    struct end client = {0};
    jlong listener = make_listener();
    resolve(&client);
    make_queue_pair(&client);
    connect_to(&client, "hello");
    struct timespec pause = {.tv_nsec = 200000000};
    nanosleep(&pause, NULL);
    CHECK("destroy listener", CALL(destroyId, listener) == 0);
    destroy_end(&client);
    take_events();
}

struct blocked {
    struct end end;
    jlong call;
    jint result;
};

static void *connect_blocked(void *argument) {
    struct blocked *blocked = argument;
    jbyteArray nothing = java_bytes(NULL, 0);
    blocked->result = CALL(connect, blocked->call, blocked->end.id, blocked->end.number, nothing, 1, 1, 1, 1);
    java_free(nothing);
    return NULL;
}

static void interruption(const char *nobody) {
    struct blocked blocked = {.end = {0}};
    pthread_t thread;
    struct timespec before;
    struct timespec after;
    jbyteArray peer = address(nobody, PORT);
    blocked.end.id = CALL(createId, device.channel, TCP, CLIENT);
    CHECK("resolve", CALL(resolveAddress, blocked.end.id, NULL, peer, 2000) == 0);
    expect(RESOLVED, CLIENT);
    CHECK("route", CALL(resolveRoute, blocked.end.id, 2000) == 0);
    expect(ROUTED, CLIENT);
    make_queue_pair(&blocked.end);
    blocked.call = CALL(createCall);
    pthread_create(&thread, NULL, connect_blocked, &blocked);
    struct timespec pause = {.tv_sec = 1};
    nanosleep(&pause, NULL);
    clock_gettime(CLOCK_MONOTONIC, &before);
    CALL(interruptCall, blocked.call);
    pthread_join(thread, NULL);
    destroy_end(&blocked.end);
    clock_gettime(CLOCK_MONOTONIC, &after);
    printf("interrupted connect: result %d, over after %ld ms\n", blocked.result,
           (after.tv_sec - before.tv_sec) * 1000 + (after.tv_nsec - before.tv_nsec) / 1000000);
    CHECK("soon", after.tv_sec - before.tv_sec < 3);
    CALL(freeCall, blocked.call);
    java_free(peer);
}

int main(int count, char **arguments) {
    setvbuf(stdout, NULL, _IOLBF, 0);
    env = java_environment();
    check_without_device();
    printf("without a device: passed\n");
    if (count < 3) {
        return 0;
    }
    for (int i = 0; i < 3; i++) {
        open_device(arguments[1], arguments[2]);
        connection(true, true);
        connection(true, false);
        connection(false, true);
        connection(false, false);
        rejection();
        listener_goes_with_a_request();
        if (count > 3) {
            interruption(arguments[3]);
        }
        close_device();
        printf("round %d: passed\n", i + 1);
    }
    return 0;
}
