// LibDisni: completion queues, shared receive queues and queue pairs.
#include <string.h>

#include "events.h"
#include "natives.h"
#include "org_verbena_rdma_disni_LibDisni.h"
#include "org_verbena_rdma_disni_VerbsNatives.h"

NATIVE(jlong, createCompletionChannel)(JNIEnv *env, jobject self, jlong context) {
    (void)env;
    (void)self;
    struct ibv_comp_channel *channel = verbs.ibv_create_comp_channel(pointer(context));
    if (channel == NULL) {
        return handle(NULL);
    }
    int error = descriptor_does_not_wait(channel->fd);
    if (error != 0) {
        verbs.ibv_destroy_comp_channel(channel);
        return error;
    }
    return handle(channel);
}

NATIVE(jint, destroyCompletionChannel)(JNIEnv *env, jobject self, jlong channel) {
    (void)env;
    (void)self;
    return verbs_result(verbs.ibv_destroy_comp_channel(pointer(channel)));
}

NATIVE(jint, completionDescriptor)(JNIEnv *env, jobject self, jlong channel) {
    (void)env;
    (void)self;
    return ((struct ibv_comp_channel *)pointer(channel))->fd;
}

NATIVE(jlong, readCompletionEvent)(JNIEnv *env, jobject self, jlong channel) {
    (void)env;
    (void)self;
    struct ibv_cq *queue;
    void *token;
    if (verbs.ibv_get_cq_event(pointer(channel), &queue, &token) != 0) {
        return cm_result(-1);
    }
    jlong told = (jlong)(uintptr_t)token;
    verbs.ibv_ack_cq_events(queue, 1);
    return told;
}

NATIVE(jlong, createCompletionQueue)
(JNIEnv *env, jobject self, jlong context, jint entries, jlong token, jlong channel, jintArray made) {
    (void)self;
    struct ibv_cq *queue = verbs.ibv_create_cq(pointer(context), entries, pointer(token), pointer(channel), 0);
    if (queue != NULL) {
        jint number = queue->cqe;
        (*env)->SetIntArrayRegion(env, made, 0, 1, &number);
    }
    return handle(queue);
}

NATIVE(jint, destroyCompletionQueue)(JNIEnv *env, jobject self, jlong queue) {
    (void)env;
    (void)self;
    return verbs_result(verbs.ibv_destroy_cq(pointer(queue)));
}

NATIVE(jlong, createSharedReceiveQueue)(JNIEnv *env, jobject self, jlong domain, jint receives, jint segments) {
    (void)env;
    (void)self;
    struct ibv_srq_init_attr attributes;
    memset(&attributes, 0, sizeof(attributes));
    attributes.attr.max_wr = (uint32_t)receives;
    attributes.attr.max_sge = (uint32_t)segments;
    return handle(verbs.ibv_create_srq(pointer(domain), &attributes));
}

NATIVE(jint, destroySharedReceiveQueue)(JNIEnv *env, jobject self, jlong queue) {
    (void)env;
    (void)self;
    return verbs_result(verbs.ibv_destroy_srq(pointer(queue)));
}

NATIVE(jlong, createQueuePair)
(JNIEnv *env, jobject self, jlong domain, jlong send_queue, jlong receive_queue, jlong shared_receive_queue,
 jintArray sizes) {
    (void)self;
    jint size[org_verbena_rdma_disni_VerbsNatives_QP_SIZES];
    struct ibv_qp_init_attr attributes;
    (*env)->GetIntArrayRegion(env, sizes, 0, org_verbena_rdma_disni_VerbsNatives_QP_SIZES, size);
    memset(&attributes, 0, sizeof(attributes));
    attributes.send_cq = pointer(send_queue);
    attributes.recv_cq = pointer(receive_queue);
    attributes.srq = pointer(shared_receive_queue);
    attributes.qp_type = IBV_QPT_RC;
    attributes.cap.max_send_wr = (uint32_t)size[org_verbena_rdma_disni_VerbsNatives_QP_SENDS];
    attributes.cap.max_recv_wr = (uint32_t)size[org_verbena_rdma_disni_VerbsNatives_QP_RECEIVES];
    attributes.cap.max_send_sge = (uint32_t)size[org_verbena_rdma_disni_VerbsNatives_QP_SEND_SEGMENTS];
    attributes.cap.max_recv_sge = (uint32_t)size[org_verbena_rdma_disni_VerbsNatives_QP_RECEIVE_SEGMENTS];
    attributes.cap.max_inline_data = (uint32_t)size[org_verbena_rdma_disni_VerbsNatives_QP_INLINE];
    struct ibv_qp *queue_pair = verbs.ibv_create_qp(pointer(domain), &attributes);
    if (queue_pair != NULL) {
        size[org_verbena_rdma_disni_VerbsNatives_QP_NUMBER] = (jint)queue_pair->qp_num;
        (*env)->SetIntArrayRegion(env, sizes, 0, org_verbena_rdma_disni_VerbsNatives_QP_SIZES, size);
    }
    return handle(queue_pair);
}

NATIVE(jint, destroyQueuePair)(JNIEnv *env, jobject self, jlong queue_pair) {
    (void)env;
    (void)self;
    return verbs_result(verbs.ibv_destroy_qp(pointer(queue_pair)));
}

NATIVE(jint, failQueuePair)(JNIEnv *env, jobject self, jlong queue_pair) {
    (void)env;
    (void)self;
    struct ibv_qp_attr attributes;
    memset(&attributes, 0, sizeof(attributes));
    attributes.qp_state = IBV_QPS_ERR;
    return verbs_result(verbs.ibv_modify_qp(pointer(queue_pair), &attributes, IBV_QP_STATE));
}

NATIVE(jint, queuePairState)(JNIEnv *env, jobject self, jlong queue_pair) {
    (void)env;
    (void)self;
    struct ibv_qp_attr attributes;
    struct ibv_qp_init_attr made;
    memset(&attributes, 0, sizeof(attributes));
    int result = verbs_result(verbs.ibv_query_qp(pointer(queue_pair), &attributes, IBV_QP_STATE, &made));
    return result < 0 ? result : (jint)attributes.qp_state;
}
