// NativeDispatcher: verbs.
#include "disni.h"

#include <string.h>

#include "events.h"

DISPATCHER(jint, getQpNum)(JNIEnv *env, jobject self, jlong queue_pair) {
    (void)env;
    (void)self;
    return (jint)((struct ibv_qp *)pointer(queue_pair))->qp_num;
}

DISPATCHER(jint, getContextFd)(JNIEnv *env, jobject self, jlong context) {
    (void)env;
    (void)self;
    return ((struct ibv_context *)pointer(context))->cmd_fd;
}

DISPATCHER(jint, getContextNumCompVectors)(JNIEnv *env, jobject self, jlong context) {
    (void)env;
    (void)self;
    return ((struct ibv_context *)pointer(context))->num_comp_vectors;
}

DISPATCHER(jint, getPdHandle)(JNIEnv *env, jobject self, jlong domain) {
    (void)env;
    (void)self;
    return (jint)((struct ibv_pd *)pointer(domain))->handle;
}

DISPATCHER(jlong, allocPd)(JNIEnv *env, jobject self, jlong context) {
    (void)self;
    struct ibv_pd *domain = verbs.ibv_alloc_pd(pointer(context));
    if (domain == NULL) {
        disni_throw(env, "ibv_alloc_pd", errno);
        return -1;
    }
    return (jlong)(uintptr_t)domain;
}

DISPATCHER(jint, deallocPd)(JNIEnv *env, jobject self, jlong domain) {
    (void)env;
    (void)self;
    return verbs.ibv_dealloc_pd(pointer(domain));
}

DISPATCHER(jlong, createCompChannel)(JNIEnv *env, jobject self, jlong context) {
    (void)self;
    struct ibv_comp_channel *channel = verbs.ibv_create_comp_channel(pointer(context));
    if (channel == NULL) {
        disni_throw(env, "ibv_create_comp_channel", errno);
        return -1;
    }
    descriptor_does_not_wait(channel->fd);
    return (jlong)(uintptr_t)channel;
}

DISPATCHER(jint, destroyCompChannel)(JNIEnv *env, jobject self, jlong channel) {
    (void)env;
    (void)self;
    return verbs.ibv_destroy_comp_channel(pointer(channel));
}

DISPATCHER(jlong, createCQ)(JNIEnv *env, jobject self, jlong context, jlong channel, jint entries, jint vector) {
    (void)self;
    struct ibv_cq *queue = verbs.ibv_create_cq(pointer(context), entries, NULL, pointer(channel), vector);
    if (queue == NULL) {
        disni_throw(env, "ibv_create_cq", errno);
        return -1;
    }
    return (jlong)(uintptr_t)queue;
}

DISPATCHER(jint, destroyCQ)(JNIEnv *env, jobject self, jlong queue) {
    (void)env;
    (void)self;
    return verbs.ibv_destroy_cq(pointer(queue));
}

// DiSNI hands over no attributes.
DISPATCHER(jint, modifyQP)(JNIEnv *env, jobject self, jlong queue_pair, jlong attributes) {
    (void)env;
    (void)self;
    (void)queue_pair;
    (void)attributes;
    return -1;
}

DISPATCHER(jlong, regMr)
(JNIEnv *env, jobject self, jlong domain, jlong address, jint length, jint access, jlong local_key, jlong remote_key,
 jlong handle) {
    (void)self;
    struct ibv_mr *region = verbs.ibv_reg_mr(pointer(domain), pointer(address), (size_t)(uint32_t)length, access);
    if (region == NULL) {
        disni_throw(env, "ibv_reg_mr", errno);
        return -1;
    }
    memcpy(pointer(local_key), &region->lkey, sizeof(region->lkey));
    memcpy(pointer(remote_key), &region->rkey, sizeof(region->rkey));
    memcpy(pointer(handle), &region->handle, sizeof(region->handle));
    return (jlong)(uintptr_t)region;
}

DISPATCHER(void, deregMr)(JNIEnv *env, jobject self, jlong region) {
    (void)self;
    int error = verbs.ibv_dereg_mr(pointer(region));
    if (error != 0) {
        disni_throw(env, "ibv_dereg_mr", error > 0 ? error : errno);
    }
}

// On-demand paging in the form that DiSNI asks for is in no libibverbs.
DISPATCHER(jint, queryOdpSupport)(JNIEnv *env, jobject self, jlong context) {
    (void)env;
    (void)self;
    (void)context;
    return -1;
}

DISPATCHER(jint, expPrefetchMr)(JNIEnv *env, jobject self, jlong region, jlong address, jint length) {
    (void)env;
    (void)self;
    (void)region;
    (void)address;
    (void)length;
    return -1;
}

// DiSNI writes what a send, a write or a read needs, and leaves the rest of each request as it was.
static void clear_rest(struct ibv_send_wr *request) {
    for (; request != NULL; request = request->next) {
        size_t written = offsetof(struct ibv_send_wr, wr) + sizeof(request->wr.rdma);
        memset((char *)request + written, 0, sizeof(*request) - written);
    }
}

DISPATCHER(void, postSend)(JNIEnv *env, jobject self, jlong queue_pair, jlong requests) {
    (void)self;
    struct ibv_send_wr *bad;
    clear_rest(pointer(requests));
    int error = ibv_post_send(pointer(queue_pair), pointer(requests), &bad);
    if (error != 0) {
        disni_throw(env, "ibv_post_send", error > 0 ? error : errno);
    }
}

DISPATCHER(void, postRecv)(JNIEnv *env, jobject self, jlong queue_pair, jlong requests) {
    (void)self;
    struct ibv_recv_wr *bad;
    int error = ibv_post_recv(pointer(queue_pair), pointer(requests), &bad);
    if (error != 0) {
        disni_throw(env, "ibv_post_recv", error > 0 ? error : errno);
    }
}

DISPATCHER(jint, pollCQ)(JNIEnv *env, jobject self, jlong queue, jint count, jlong completions) {
    (void)env;
    (void)self;
    return ibv_poll_cq(pointer(queue), count, pointer(completions));
}

DISPATCHER(jint, reqNotifyCQ)(JNIEnv *env, jobject self, jlong queue, jint solicited_only) {
    (void)env;
    (void)self;
    return ibv_req_notify_cq(pointer(queue), solicited_only);
}

DISPATCHER(jint, getCqEvent)(JNIEnv *env, jobject self, jlong channel, jint milliseconds) {
    (void)env;
    (void)self;
    struct ibv_comp_channel *from = pointer(channel);
    struct ibv_cq *queue;
    void *context;
    if (disni_wait(from->fd, milliseconds) <= 0) {
        return -1;
    }
    return verbs.ibv_get_cq_event(from, &queue, &context) == 0 ? 0 : -1;
}

DISPATCHER(jint, ackCqEvent)(JNIEnv *env, jobject self, jlong queue, jint count) {
    (void)env;
    (void)self;
    verbs.ibv_ack_cq_events(pointer(queue), (unsigned int)count);
    return 0;
}
