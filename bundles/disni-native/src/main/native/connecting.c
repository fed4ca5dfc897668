// LibDisni: making and ending connections.
#include <string.h>

#include "calls.h"
#include "natives.h"
#include "org_verbena_rdma_disni_LibDisni.h"

struct private_data {
    jbyte bytes[255];
    uint8_t length;
};

static int copy_private_data(JNIEnv *env, jbyteArray array, struct private_data *data) {
    jsize length = array != NULL ? (*env)->GetArrayLength(env, array) : 0;
    if (length > (jsize)sizeof(data->bytes)) {
        return -EMSGSIZE;
    }
    data->length = (uint8_t)length;
    if (length > 0) {
        (*env)->GetByteArrayRegion(env, array, 0, length, data->bytes);
    }
    return 0;
}

static struct rdma_conn_param parameters(const struct private_data *data, jint queue_pair_number,
                                         jint responder_resources, jint initiator_depth) {
    struct rdma_conn_param made;
    memset(&made, 0, sizeof(made));
    made.private_data = data->length > 0 ? data->bytes : NULL;
    made.private_data_len = data->length;
    made.responder_resources = (uint8_t)responder_resources;
    made.initiator_depth = (uint8_t)initiator_depth;
    made.qp_num = (uint32_t)queue_pair_number;
    return made;
}

NATIVE(jlong, createCall)(JNIEnv *env, jobject self) {
    (void)env;
    (void)self;
    return handle(call_create());
}

NATIVE(void, interruptCall)(JNIEnv *env, jobject self, jlong call) {
    (void)env;
    (void)self;
    call_interrupt(pointer(call));
}

NATIVE(void, freeCall)(JNIEnv *env, jobject self, jlong call) {
    (void)env;
    (void)self;
    call_free(pointer(call));
}

NATIVE(jint, connect)
(JNIEnv *env, jobject self, jlong call, jlong id, jint queue_pair_number, jbyteArray private_data,
 jint responder_resources, jint initiator_depth, jint retries, jint rnr_retries) {
    (void)self;
    struct private_data data;
    int result = copy_private_data(env, private_data, &data);
    if (result != 0) {
        return result;
    }
    struct rdma_conn_param told = parameters(&data, queue_pair_number, responder_resources, initiator_depth);
    told.retry_count = (uint8_t)retries;
    told.rnr_retry_count = (uint8_t)rnr_retries;
    result = call_begin(pointer(call));
    if (result != 0) {
        return result;
    }
    result = cm_result(cm.rdma_connect(pointer(id), &told));
    call_end(pointer(call));
    return result;
}

NATIVE(jint, establish)(JNIEnv *env, jobject self, jlong id) {
    (void)env;
    (void)self;
    return cm_result(cm.rdma_establish(pointer(id)));
}

NATIVE(jint, notifyCommunicationEstablished)(JNIEnv *env, jobject self, jlong id) {
    (void)env;
    (void)self;
    return cm_result(cm.rdma_notify(pointer(id), IBV_EVENT_COMM_EST));
}

NATIVE(jint, accept)
(JNIEnv *env, jobject self, jlong id, jint queue_pair_number, jbyteArray private_data, jint responder_resources,
 jint initiator_depth, jint rnr_retries) {
    (void)self;
    struct private_data data;
    int result = copy_private_data(env, private_data, &data);
    if (result != 0) {
        return result;
    }
    struct rdma_conn_param told = parameters(&data, queue_pair_number, responder_resources, initiator_depth);
    told.rnr_retry_count = (uint8_t)rnr_retries;
    return cm_result(cm.rdma_accept(pointer(id), &told));
}

NATIVE(jint, reject)(JNIEnv *env, jobject self, jlong id, jbyteArray private_data) {
    (void)self;
    struct private_data data;
    int result = copy_private_data(env, private_data, &data);
    return result != 0 ? result
                       : cm_result(cm.rdma_reject(pointer(id), data.length > 0 ? data.bytes : NULL, data.length));
}

NATIVE(jint, disconnect)(JNIEnv *env, jobject self, jlong id) {
    (void)env;
    (void)self;
    return cm_result(cm.rdma_disconnect(pointer(id)));
}

// Moves a queue pair to a state, with what librdmacm knows of the connection.
static int move(struct rdma_cm_id *id, struct ibv_qp *queue_pair, enum ibv_qp_state state, jint responder_resources,
                jint initiator_depth) {
    struct ibv_qp_attr attributes;
    int mask = 0;
    memset(&attributes, 0, sizeof(attributes));
    attributes.qp_state = state;
    if (cm.rdma_init_qp_attr(id, &attributes, &mask) != 0) {
        return cm_result(-1);
    }
    attributes.qp_state = state;
    if (responder_resources >= 0 && (mask & IBV_QP_MAX_DEST_RD_ATOMIC)) {
        attributes.max_dest_rd_atomic = (uint8_t)responder_resources;
    }
    if (initiator_depth >= 0 && (mask & IBV_QP_MAX_QP_RD_ATOMIC)) {
        attributes.max_rd_atomic = (uint8_t)initiator_depth;
    }
    return verbs_result(verbs.ibv_modify_qp(queue_pair, &attributes, mask));
}

NATIVE(jint, initialize)(JNIEnv *env, jobject self, jlong id, jlong queue_pair) {
    (void)env;
    (void)self;
    return move(pointer(id), pointer(queue_pair), IBV_QPS_INIT, -1, -1);
}

NATIVE(jint, ready)
(JNIEnv *env, jobject self, jlong id, jlong queue_pair, jint responder_resources, jint initiator_depth) {
    (void)env;
    (void)self;
    static const enum ibv_qp_state states[] = {
        IBV_QPS_INIT, // again: what the peer may do is only known now
        IBV_QPS_RTR,
        IBV_QPS_RTS,
    };
    int result = 0;
    for (size_t i = 0; result == 0 && i < sizeof(states) / sizeof(states[0]); i++) {
        result = move(pointer(id), pointer(queue_pair), states[i], responder_resources, initiator_depth);
    }
    return result;
}
