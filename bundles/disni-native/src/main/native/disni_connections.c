// NativeDispatcher: connection management.
#include "disni.h"

#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "events.h"

void disni_throw(JNIEnv *env, const char *what, int error) {
    char sentence[160];
    char reason[96];
#if defined(_GNU_SOURCE)
#error "strerror_r is that of POSIX"
#endif
    if (strerror_r(error, reason, sizeof(reason)) != 0) {
        snprintf(reason, sizeof(reason), "error %d", error);
    }
    snprintf(sentence, sizeof(sentence), "%s failed: %s", what, reason);
    jclass type = (*env)->FindClass(env, "java/io/IOException");
    if (type != NULL) {
        (*env)->ThrowNew(env, type, sentence);
    }
}

int disni_wait(int descriptor, int milliseconds) {
    struct pollfd waited = {.fd = descriptor, .events = POLLIN};
    int result;
    do {
        result = poll(&waited, 1, milliseconds);
    } while (result < 0 && errno == EINTR && milliseconds < 0);
    return result;
}

// DiSNI's classes open the library without LibDisni.
static int open_library(JNIEnv *env) {
    char sentence[256];
    if (library_open(sentence, sizeof(sentence)) == 0) {
        return 0;
    }
    jclass type = (*env)->FindClass(env, "java/io/IOException");
    if (type != NULL) {
        (*env)->ThrowNew(env, type, sentence);
    }
    return -1;
}

DISPATCHER(jlong, createEventChannel)(JNIEnv *env, jobject self) {
    (void)self;
    if (open_library(env) != 0) {
        return -1;
    }
    struct rdma_event_channel *channel = library_create_channel();
    if (channel == NULL) {
        disni_throw(env, "rdma_create_event_channel", errno);
        return -1;
    }
    int error = descriptor_does_not_wait(channel->fd);
    if (error != 0) {
        library_destroy_channel(channel);
        disni_throw(env, "rdma_create_event_channel", -error);
        return -1;
    }
    return (jlong)(uintptr_t)channel;
}

DISPATCHER(jint, destroyEventChannel)(JNIEnv *env, jobject self, jlong channel) {
    (void)env;
    (void)self;
    library_destroy_channel(pointer(channel));
    return 0;
}

DISPATCHER(jlong, createId)(JNIEnv *env, jobject self, jlong channel, jshort port_space) {
    (void)self;
    (void)port_space;
    struct rdma_cm_id *id = NULL;
    if (cm.rdma_create_id(pointer(channel), &id, NULL, RDMA_PS_TCP) != 0) {
        disni_throw(env, "rdma_create_id", errno);
        return -1;
    }
    return (jlong)(uintptr_t)id;
}

DISPATCHER(jlong, createQP)
(JNIEnv *env, jobject self, jlong id, jlong domain, jlong send_queue, jlong receive_queue, jint type, jint max_sends,
 jint max_receives, jint max_inline) {
    (void)self;
    struct rdma_cm_id *owner = pointer(id);
    struct ibv_qp_init_attr attributes;
    memset(&attributes, 0, sizeof(attributes));
    attributes.send_cq = pointer(send_queue);
    attributes.recv_cq = pointer(receive_queue);
    attributes.qp_type = (enum ibv_qp_type)type;
    attributes.cap.max_send_wr = (uint32_t)max_sends;
    attributes.cap.max_recv_wr = (uint32_t)max_receives;
    attributes.cap.max_send_sge = 4;
    attributes.cap.max_recv_sge = 4;
    attributes.cap.max_inline_data = (uint32_t)max_inline;
    if (cm.rdma_create_qp(owner, pointer(domain), &attributes) != 0) {
        disni_throw(env, "rdma_create_qp", errno);
        return -1;
    }
    return (jlong)(uintptr_t)owner->qp;
}

DISPATCHER(jint, destroyQP)(JNIEnv *env, jobject self, jlong id) {
    (void)env;
    (void)self;
    cm.rdma_destroy_qp(pointer(id));
    return 0;
}

// DiSNI writes the address of an IPv4 socket, but not the padding behind it.
static struct sockaddr_in ipv4(jlong address) {
    struct sockaddr_in made;
    memset(&made, 0, sizeof(made));
    memcpy(&made, pointer(address), offsetof(struct sockaddr_in, sin_zero));
    return made;
}

DISPATCHER(void, bindAddr)(JNIEnv *env, jobject self, jlong id, jlong address) {
    (void)self;
    struct sockaddr_in local = ipv4(address);
    if (cm.rdma_bind_addr(pointer(id), (struct sockaddr *)&local) != 0) {
        disni_throw(env, "rdma_bind_addr", errno);
    }
}

DISPATCHER(void, resolveAddr)
(JNIEnv *env, jobject self, jlong id, jlong source, jlong destination, jint milliseconds) {
    (void)self;
    (void)source;
    struct sockaddr_in peer = ipv4(destination);
    if (cm.rdma_resolve_addr(pointer(id), NULL, (struct sockaddr *)&peer, milliseconds) != 0) {
        disni_throw(env, "rdma_resolve_addr", errno);
    }
}

DISPATCHER(void, resolveRoute)(JNIEnv *env, jobject self, jlong id, jint milliseconds) {
    (void)self;
    if (cm.rdma_resolve_route(pointer(id), milliseconds) != 0) {
        disni_throw(env, "rdma_resolve_route", errno);
    }
}

DISPATCHER(void, listen)(JNIEnv *env, jobject self, jlong id, jint backlog) {
    (void)self;
    if (cm.rdma_listen(pointer(id), backlog) != 0) {
        disni_throw(env, "rdma_listen", errno);
    }
}

DISPATCHER(jint, getCmEvent)
(JNIEnv *env, jobject self, jlong channel, jlong listen_id, jlong id, jint milliseconds) {
    (void)env;
    (void)self;
    struct rdma_event_channel *from = pointer(channel);
    struct rdma_cm_event *event;
    if (disni_wait(from->fd, milliseconds) <= 0 || cm.rdma_get_cm_event(from, &event) != 0) {
        return -1;
    }
    uint64_t listener = event->listen_id != NULL ? (uintptr_t)event->listen_id : UINT64_MAX;
    uint64_t about = event->id != NULL ? (uintptr_t)event->id : UINT64_MAX;
    memcpy(pointer(listen_id), &listener, sizeof(listener));
    memcpy(pointer(id), &about, sizeof(about));
    jint type = (jint)event->event;
    // DiSNI's own call for this hands over no event; rdma_destroy_id would wait for good.
    cm.rdma_ack_cm_event(event);
    return type;
}

DISPATCHER(jint, ackCmEvent)(JNIEnv *env, jobject self, jint event) {
    (void)env;
    (void)self;
    (void)event;
    return 0;
}

static struct rdma_conn_param full_parameters(struct rdma_cm_id *id) {
    struct rdma_conn_param made;
    struct ibv_device_attr device;
    memset(&made, 0, sizeof(made));
    memset(&device, 0, sizeof(device));
    if (id->verbs != NULL && verbs.ibv_query_device(id->verbs, &device) == 0) {
        made.initiator_depth = (uint8_t)(device.max_qp_init_rd_atom < 255 ? device.max_qp_init_rd_atom : 254);
        made.responder_resources = (uint8_t)(device.max_qp_rd_atom < 255 ? device.max_qp_rd_atom : 254);
    }
    return made;
}

DISPATCHER(void, connect)
(JNIEnv *env, jobject self, jlong id, jint retries, jint rnr_retries, jlong private_data, jbyte private_length) {
    (void)self;
    struct rdma_conn_param parameters = full_parameters(pointer(id));
    parameters.retry_count = (uint8_t)retries;
    parameters.rnr_retry_count = (uint8_t)rnr_retries;
    parameters.private_data = private_length != 0 ? pointer(private_data) : NULL;
    parameters.private_data_len = (uint8_t)private_length;
    if (cm.rdma_connect(pointer(id), &parameters) != 0) {
        disni_throw(env, "rdma_connect", errno);
    }
}

DISPATCHER(void, accept)(JNIEnv *env, jobject self, jlong id, jint retries, jint rnr_retries) {
    (void)self;
    struct rdma_conn_param parameters = full_parameters(pointer(id));
    parameters.retry_count = (uint8_t)retries;
    parameters.rnr_retry_count = (uint8_t)rnr_retries;
    if (cm.rdma_accept(pointer(id), &parameters) != 0) {
        disni_throw(env, "rdma_accept", errno);
    }
}

DISPATCHER(jint, disconnect)(JNIEnv *env, jobject self, jlong id) {
    (void)env;
    (void)self;
    return cm.rdma_disconnect(pointer(id));
}

DISPATCHER(jint, destroyCmId)(JNIEnv *env, jobject self, jlong id) {
    (void)env;
    (void)self;
    return cm.rdma_destroy_id(pointer(id));
}

DISPATCHER(jint, destroyEp)(JNIEnv *env, jobject self, jlong id) {
    (void)env;
    (void)self;
    cm.rdma_destroy_ep(pointer(id));
    return 0;
}

DISPATCHER(jint, getSrcAddr)(JNIEnv *env, jobject self, jlong id, jlong address) {
    (void)env;
    (void)self;
    memcpy(pointer(address), rdma_get_local_addr(pointer(id)), sizeof(struct sockaddr));
    return 0;
}

DISPATCHER(jint, getDstAddr)(JNIEnv *env, jobject self, jlong id, jlong address) {
    (void)env;
    (void)self;
    memcpy(pointer(address), rdma_get_peer_addr(pointer(id)), sizeof(struct sockaddr));
    return 0;
}

DISPATCHER(jlong, getContext)(JNIEnv *env, jobject self, jlong id) {
    (void)env;
    (void)self;
    const struct ibv_context *context = ((struct rdma_cm_id *)pointer(id))->verbs;
    return context != NULL ? (jlong)(uintptr_t)context : -1;
}
