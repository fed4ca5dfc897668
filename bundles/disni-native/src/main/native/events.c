#include "events.h"

#include <fcntl.h>
#include <string.h>

#include "natives.h"
#include "org_verbena_rdma_disni_LibDisni.h"

int descriptor_does_not_wait(int descriptor) {
    int flags = fcntl(descriptor, F_GETFL);
    return flags >= 0 && fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) == 0 ? 0 : -errno;
}

static void copy_parameters(const struct rdma_conn_param *from, struct event_record *record) {
    record->responder_resources = from->responder_resources;
    record->initiator_depth = from->initiator_depth;
    record->retries = from->retry_count;
    record->rnr_retries = from->rnr_retry_count;
    if (from->private_data != NULL) {
        record->private_length = from->private_data_len;
        memcpy(record->private_data, from->private_data, from->private_data_len);
    }
}

static int has_parameters(enum rdma_cm_event_type type) {
    return type == RDMA_CM_EVENT_CONNECT_REQUEST || type == RDMA_CM_EVENT_CONNECT_RESPONSE ||
           type == RDMA_CM_EVENT_ESTABLISHED || type == RDMA_CM_EVENT_REJECTED;
}

int event_read(struct rdma_event_channel *channel, struct event_record *record) {
    struct rdma_cm_event *event;
    if (cm.rdma_get_cm_event(channel, &event) != 0) {
        return errno > 0 ? -errno : -EIO;
    }
    memset(record, 0, offsetof(struct event_record, private_data));
    record->type = (int32_t)event->event;
    record->status = event->status;
    if (event->event == RDMA_CM_EVENT_CONNECT_REQUEST) {
        record->token = event->listen_id != NULL ? (uintptr_t)event->listen_id->context : 0;
        record->new_id = (uintptr_t)event->id;
    } else {
        record->token = event->id != NULL ? (uintptr_t)event->id->context : 0;
    }
    if (has_parameters(event->event)) {
        copy_parameters(&event->param.conn, record);
    }
    cm.rdma_ack_cm_event(event);
    return 0;
}

NATIVE(jlong, createChannel)(JNIEnv *env, jobject self) {
    (void)env;
    (void)self;
    struct rdma_event_channel *channel = library_create_channel();
    if (channel == NULL) {
        return -(jlong)errno;
    }
    int error = descriptor_does_not_wait(channel->fd);
    if (error != 0) {
        library_destroy_channel(channel);
        return error;
    }
    return handle(channel);
}

NATIVE(void, destroyChannel)(JNIEnv *env, jobject self, jlong channel) {
    (void)env;
    (void)self;
    library_destroy_channel(pointer(channel));
}

NATIVE(jint, channelDescriptor)(JNIEnv *env, jobject self, jlong channel) {
    (void)env;
    (void)self;
    return ((struct rdma_event_channel *)pointer(channel))->fd;
}

NATIVE(jint, readEvent)(JNIEnv *env, jobject self, jlong channel, jlong record) {
    (void)env;
    (void)self;
    return event_read(pointer(channel), pointer(record));
}

NATIVE(jint, releaseDevices)(JNIEnv *env, jobject self) {
    (void)env;
    (void)self;
    return library_release();
}

NATIVE(void, releaseDevice)(JNIEnv *env, jobject self, jstring device) {
    (void)self;
    const char *name = (*env)->GetStringUTFChars(env, device, NULL);
    if (name != NULL) {
        library_release_device(name);
        (*env)->ReleaseStringUTFChars(env, device, name);
    }
}
