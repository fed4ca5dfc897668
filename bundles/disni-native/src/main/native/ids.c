// LibDisni: ids of connection management.
#include <netinet/in.h>
#include <string.h>

#include "addresses.h"
#include "natives.h"
#include "org_verbena_rdma_disni_ConnectionNatives.h"
#include "org_verbena_rdma_disni_LibDisni.h"

NATIVE(jlong, createId)(JNIEnv *env, jobject self, jlong channel, jint port_space, jlong token) {
    (void)env;
    (void)self;
    struct rdma_cm_id *id = NULL;
    int result = cm.rdma_create_id(pointer(channel), &id, pointer(token), (enum rdma_port_space)port_space);
    return result == 0 ? handle(id) : cm_result(result);
}

NATIVE(void, setToken)(JNIEnv *env, jobject self, jlong id, jlong token) {
    (void)env;
    (void)self;
    ((struct rdma_cm_id *)pointer(id))->context = pointer(token);
}

NATIVE(jint, destroyId)(JNIEnv *env, jobject self, jlong id) {
    (void)env;
    (void)self;
    return cm_result(cm.rdma_destroy_id(pointer(id)));
}

NATIVE(jint, setOption)(JNIEnv *env, jobject self, jlong id, jint option, jint value) {
    (void)env;
    (void)self;
    uint8_t byte = (uint8_t)value;
    int number = value;
    int is_byte = option == org_verbena_rdma_disni_ConnectionNatives_OPTION_TYPE_OF_SERVICE ||
                  option == org_verbena_rdma_disni_ConnectionNatives_OPTION_ACK_TIMEOUT;
    void *place = is_byte ? (void *)&byte : (void *)&number;
    size_t size = is_byte ? sizeof(byte) : sizeof(number);
    return cm_result(cm.rdma_set_option(pointer(id), RDMA_OPTION_ID, option, place, size));
}

NATIVE(jint, bind)(JNIEnv *env, jobject self, jlong id, jbyteArray address) {
    (void)self;
    struct sockaddr_storage place;
    struct sockaddr *local = address_from(env, address, &place);
    return local == NULL ? -EINVAL : cm_result(cm.rdma_bind_addr(pointer(id), local));
}

NATIVE(jint, listen)(JNIEnv *env, jobject self, jlong id, jint backlog) {
    (void)env;
    (void)self;
    return cm_result(cm.rdma_listen(pointer(id), backlog));
}

NATIVE(jint, resolveAddress)
(JNIEnv *env, jobject self, jlong id, jbyteArray source, jbyteArray destination, jint milliseconds) {
    (void)self;
    struct sockaddr_storage from;
    struct sockaddr_storage to;
    struct sockaddr *source_address = address_from(env, source, &from);
    struct sockaddr *peer = address_from(env, destination, &to);
    return peer == NULL ? -EINVAL : cm_result(cm.rdma_resolve_addr(pointer(id), source_address, peer, milliseconds));
}

NATIVE(jint, resolveRoute)(JNIEnv *env, jobject self, jlong id, jint milliseconds) {
    (void)env;
    (void)self;
    return cm_result(cm.rdma_resolve_route(pointer(id), milliseconds));
}

NATIVE(jstring, device)(JNIEnv *env, jobject self, jlong id) {
    (void)self;
    const struct rdma_cm_id *bound = pointer(id);
    if (bound->verbs == NULL) {
        return NULL;
    }
    library_note(bound->verbs);
    return (*env)->NewStringUTF(env, verbs.ibv_get_device_name(bound->verbs->device));
}

NATIVE(void, localAddress)(JNIEnv *env, jobject self, jlong id, jbyteArray address) {
    (void)self;
    address_to(env, rdma_get_local_addr(pointer(id)), address);
}

NATIVE(void, peerAddress)(JNIEnv *env, jobject self, jlong id, jbyteArray address) {
    (void)self;
    address_to(env, rdma_get_peer_addr(pointer(id)), address);
}

NATIVE(jint, route)(JNIEnv *env, jobject self, jlong id, jintArray attributes) {
    (void)self;
    const struct rdma_cm_id *resolved = pointer(id);
    if (resolved->route.num_paths < 1 || resolved->route.path_rec == NULL) {
        return -ENOENT;
    }
    const struct ibv_sa_path_rec *path = resolved->route.path_rec;
    jint numbers[org_verbena_rdma_disni_ConnectionNatives_ROUTE_ATTRIBUTES];
    numbers[org_verbena_rdma_disni_ConnectionNatives_ROUTE_MTU_BYTES] = 128 << path->mtu;
    numbers[org_verbena_rdma_disni_ConnectionNatives_ROUTE_SERVICE_LEVEL] = path->sl;
    numbers[org_verbena_rdma_disni_ConnectionNatives_ROUTE_TRAFFIC_CLASS] = path->traffic_class;
    numbers[org_verbena_rdma_disni_ConnectionNatives_ROUTE_HOP_LIMIT] = path->hop_limit;
    numbers[org_verbena_rdma_disni_ConnectionNatives_ROUTE_PACKET_LIFETIME] = path->packet_life_time;
    (*env)->SetIntArrayRegion(env, attributes, 0, org_verbena_rdma_disni_ConnectionNatives_ROUTE_ATTRIBUTES, numbers);
    return 0;
}
