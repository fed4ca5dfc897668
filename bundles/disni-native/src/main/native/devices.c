// LibDisni: the devices, and what becomes of them.
#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "events.h"
#include "interfaces.h"
#include "natives.h"
#include "org_verbena_rdma_disni_LibDisni.h"
#include "org_verbena_rdma_disni_VerbsNatives.h"

#define OF(name) org_verbena_rdma_disni_VerbsNatives_##name

NATIVE(jobjectArray, deviceNames)(JNIEnv *env, jobject self) {
    (void)self;
    struct device_names found = {NULL, 0};
    jclass string = (*env)->FindClass(env, "java/lang/String");
    jobjectArray names = NULL;
    if (string != NULL && registered_devices(&found) == 0) {
        names = (*env)->NewObjectArray(env, (jsize)found.count, string, NULL);
    }
    for (size_t i = 0; names != NULL && i < found.count; i++) {
        jstring name = (*env)->NewStringUTF(env, found.list[i]);
        if (name == NULL) {
            break;
        }
        (*env)->SetObjectArrayElement(env, names, (jsize)i, name);
        (*env)->DeleteLocalRef(env, name);
    }
    free(found.list);
    return names;
}

NATIVE(jstring, networkInterface)(JNIEnv *env, jobject self, jstring device, jint port) {
    (void)self;
    char interface[64];
    const char *name = (*env)->GetStringUTFChars(env, device, NULL);
    if (name == NULL) {
        return NULL;
    }
    int result = interface_of_port(name, (unsigned int)port, interface, sizeof(interface));
    (*env)->ReleaseStringUTFChars(env, device, name);
    return result == 0 ? (*env)->NewStringUTF(env, interface) : NULL;
}

static struct ibv_context *open_named(const char *name) {
    struct ibv_context *context = NULL;
    struct ibv_device **devices = verbs.ibv_get_device_list(NULL);
    errno = devices == NULL && errno != 0 ? errno : ENODEV;
    for (int i = 0; devices != NULL && devices[i] != NULL; i++) {
        if (strcmp(verbs.ibv_get_device_name(devices[i]), name) == 0) {
            context = verbs.ibv_open_device(devices[i]);
            break;
        }
    }
    int error = errno > 0 ? errno : EIO;
    if (devices != NULL) {
        verbs.ibv_free_device_list(devices);
    }
    errno = error;
    return context;
}

NATIVE(jlong, openDevice)(JNIEnv *env, jobject self, jstring device) {
    (void)self;
    const char *name = (*env)->GetStringUTFChars(env, device, NULL);
    if (name == NULL) {
        return -ENOMEM;
    }
    struct ibv_context *context = open_named(name);
    int error = context == NULL ? -errno : descriptor_does_not_wait(context->async_fd);
    (*env)->ReleaseStringUTFChars(env, device, name);
    if (error == 0) {
        return handle(context);
    }
    if (context != NULL) {
        verbs.ibv_close_device(context);
    }
    return error;
}

NATIVE(jint, closeDevice)(JNIEnv *env, jobject self, jlong context) {
    (void)env;
    (void)self;
    return verbs_result(verbs.ibv_close_device(pointer(context)));
}

NATIVE(jint, queryDevice)(JNIEnv *env, jobject self, jlong context, jlongArray attributes) {
    (void)self;
    struct ibv_context *opened = pointer(context);
    struct ibv_device_attr found;
    memset(&found, 0, sizeof(found));
    int result = verbs_result(verbs.ibv_query_device(opened, &found));
    if (result != 0) {
        return result;
    }
    jlong told[OF(DEVICE_ATTRIBUTES)];
    told[OF(DEVICE_GUID)] = (jlong)be64toh(verbs.ibv_get_device_guid(opened->device));
    told[OF(DEVICE_NODE_TYPE)] = opened->device->node_type;
    told[OF(DEVICE_TRANSPORT)] = opened->device->transport_type;
    told[OF(DEVICE_PORTS)] = found.phys_port_cnt;
    told[OF(DEVICE_MAX_QP)] = found.max_qp;
    told[OF(DEVICE_MAX_QP_WR)] = found.max_qp_wr;
    told[OF(DEVICE_MAX_SGE)] = found.max_sge;
    told[OF(DEVICE_MAX_SGE_READ)] = found.max_sge_rd;
    told[OF(DEVICE_MAX_CQE)] = found.max_cqe;
    told[OF(DEVICE_MAX_MR_SIZE)] = found.max_mr_size > INT64_MAX ? INT64_MAX : (jlong)found.max_mr_size;
    told[OF(DEVICE_MAX_RESPONDER)] = found.max_qp_rd_atom;
    told[OF(DEVICE_MAX_INITIATOR)] = found.max_qp_init_rd_atom;
    told[OF(DEVICE_ATOMICS)] = found.atomic_cap != IBV_ATOMIC_NONE;
    told[OF(DEVICE_MAX_SRQ)] = found.max_srq;
    told[OF(DEVICE_CAPABILITIES)] = found.device_cap_flags;
    (*env)->SetLongArrayRegion(env, attributes, 0, OF(DEVICE_ATTRIBUTES), told);
    return 0;
}

NATIVE(jint, queryPort)(JNIEnv *env, jobject self, jlong context, jint port, jlongArray attributes) {
    (void)self;
    struct ibv_port_attr found;
    memset(&found, 0, sizeof(found));
    int result = verbs_result(verbs.ibv_query_port(pointer(context), (uint8_t)port, &found));
    if (result != 0) {
        return result;
    }
    jlong told[OF(PORT_ATTRIBUTES)];
    told[OF(PORT_STATE)] = found.state;
    told[OF(PORT_MTU_BYTES)] = 128 << found.active_mtu;
    told[OF(PORT_LINK_LAYER)] = found.link_layer;
    told[OF(PORT_MAX_MESSAGE)] = found.max_msg_sz;
    told[OF(PORT_GIDS)] = found.gid_tbl_len;
    (*env)->SetLongArrayRegion(env, attributes, 0, OF(PORT_ATTRIBUTES), told);
    return 0;
}

NATIVE(jint, asyncDescriptor)(JNIEnv *env, jobject self, jlong context) {
    (void)env;
    (void)self;
    return ((struct ibv_context *)pointer(context))->async_fd;
}

static uint32_t element_of(const struct ibv_async_event *event) {
    switch (event->event_type) {
    case IBV_EVENT_QP_FATAL:
    case IBV_EVENT_QP_REQ_ERR:
    case IBV_EVENT_QP_ACCESS_ERR:
    case IBV_EVENT_COMM_EST:
    case IBV_EVENT_SQ_DRAINED:
    case IBV_EVENT_PATH_MIG:
    case IBV_EVENT_PATH_MIG_ERR:
    case IBV_EVENT_QP_LAST_WQE_REACHED:
        return event->element.qp->qp_num;
    case IBV_EVENT_PORT_ACTIVE:
    case IBV_EVENT_PORT_ERR:
    case IBV_EVENT_LID_CHANGE:
    case IBV_EVENT_PKEY_CHANGE:
    case IBV_EVENT_SM_CHANGE:
    case IBV_EVENT_CLIENT_REREGISTER:
    case IBV_EVENT_GID_CHANGE:
        return (uint32_t)event->element.port_num;
    default:
        return 0;
    }
}

NATIVE(jint, readAsyncEvent)(JNIEnv *env, jobject self, jlong context, jintArray event) {
    (void)self;
    struct ibv_async_event happened;
    if (verbs.ibv_get_async_event(pointer(context), &happened) != 0) {
        return cm_result(-1);
    }
    jint told[2] = {(jint)happened.event_type, (jint)element_of(&happened)};
    verbs.ibv_ack_async_event(&happened);
    (*env)->SetIntArrayRegion(env, event, 0, 2, told);
    return 0;
}
