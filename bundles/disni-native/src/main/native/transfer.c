// LibDisni: what is called for every message. Nothing here allocates or waits.
#include "transfer.h"

#include <arpa/inet.h>
#include <string.h>

#include "natives.h"
#include "org_verbena_rdma_disni_LibDisni.h"
#include "org_verbena_rdma_disni_VerbsNatives.h"

NATIVE(jint, poll)(JNIEnv *env, jobject self, jlong queue, jlong records, jint max) {
    (void)env;
    (void)self;
    struct ibv_wc polled[org_verbena_rdma_disni_VerbsNatives_MAX_POLL];
    struct completion *to = pointer(records);
    int count = ibv_poll_cq(pointer(queue), max, polled);
    if (count < 0) {
        return -EIO;
    }
    for (int i = 0; i < count; i++) {
        to[i].work_request_id = polled[i].wr_id;
        to[i].status = (int32_t)polled[i].status;
        to[i].operation = (int32_t)polled[i].opcode;
        to[i].byte_count = polled[i].byte_len;
        to[i].queue_pair_number = polled[i].qp_num;
        to[i].flags = polled[i].wc_flags;
        to[i].immediate_or_key =
            polled[i].wc_flags & IBV_WC_WITH_INV ? polled[i].invalidated_rkey : ntohl(polled[i].imm_data);
        to[i].vendor_error = polled[i].vendor_err;
    }
    return count;
}

NATIVE(jint, requestNotification)(JNIEnv *env, jobject self, jlong queue, jboolean solicited_only) {
    (void)env;
    (void)self;
    return verbs_result(ibv_req_notify_cq(pointer(queue), solicited_only ? 1 : 0));
}

NATIVE(jint, postSend)
(JNIEnv *env, jobject self, jlong queue_pair, jlong work_request_id, jint operation, jint flags,
 jint immediate_or_key, jlong remote_address, jint remote_key, jlong compare_or_add, jlong swap, jlong segments,
 jint segment_count) {
    (void)env;
    (void)self;
    struct ibv_send_wr request;
    struct ibv_send_wr *bad;
    memset(&request, 0, sizeof(request));
    request.wr_id = (uint64_t)work_request_id;
    request.sg_list = pointer(segments);
    request.num_sge = segment_count;
    request.opcode = (enum ibv_wr_opcode)operation;
    request.send_flags = (unsigned int)flags;
    switch (request.opcode) {
    case IBV_WR_SEND_WITH_INV:
        request.invalidate_rkey = (uint32_t)immediate_or_key;
        break;
    case IBV_WR_ATOMIC_CMP_AND_SWP:
    case IBV_WR_ATOMIC_FETCH_AND_ADD:
        request.wr.atomic.remote_addr = (uint64_t)remote_address;
        request.wr.atomic.rkey = (uint32_t)remote_key;
        request.wr.atomic.compare_add = (uint64_t)compare_or_add;
        request.wr.atomic.swap = (uint64_t)swap;
        break;
    default:
        request.imm_data = htonl((uint32_t)immediate_or_key);
        request.wr.rdma.remote_addr = (uint64_t)remote_address;
        request.wr.rdma.rkey = (uint32_t)remote_key;
        break;
    }
    return verbs_result(ibv_post_send(pointer(queue_pair), &request, &bad));
}

static struct ibv_recv_wr receive(jlong work_request_id, jlong segments, jint segment_count) {
    struct ibv_recv_wr request;
    memset(&request, 0, sizeof(request));
    request.wr_id = (uint64_t)work_request_id;
    request.sg_list = pointer(segments);
    request.num_sge = segment_count;
    return request;
}

NATIVE(jint, postReceive)
(JNIEnv *env, jobject self, jlong queue_pair, jlong work_request_id, jlong segments, jint segment_count) {
    (void)env;
    (void)self;
    struct ibv_recv_wr request = receive(work_request_id, segments, segment_count);
    struct ibv_recv_wr *bad;
    return verbs_result(ibv_post_recv(pointer(queue_pair), &request, &bad));
}

NATIVE(jint, postSharedReceive)
(JNIEnv *env, jobject self, jlong queue, jlong work_request_id, jlong segments, jint segment_count) {
    (void)env;
    (void)self;
    struct ibv_recv_wr request = receive(work_request_id, segments, segment_count);
    struct ibv_recv_wr *bad;
    return verbs_result(ibv_post_srq_recv(pointer(queue), &request, &bad));
}
