// LibDisni: what it finds out when it is loaded.
#include "natives.h"

#include "events.h"
#include "addresses.h"
#include "org_verbena_rdma_disni_ConnectionNatives.h"
#include "org_verbena_rdma_disni_LibDisni.h"
#include "org_verbena_rdma_disni_VerbsNatives.h"
#include "transfer.h"

#define OF_VERBS(name) org_verbena_rdma_disni_VerbsNatives_##name
#define OF_CM(name) org_verbena_rdma_disni_ConnectionNatives_##name

_Static_assert(sizeof(struct completion) == OF_VERBS(COMPLETION_BYTES), "size of a completion");
_Static_assert(sizeof(struct ibv_sge) == OF_VERBS(SEGMENT_BYTES), "size of a segment");
_Static_assert(sizeof(struct event_record) == OF_CM(EVENT_BYTES), "size of an event");
_Static_assert(offsetof(struct event_record, private_data) == OF_CM(EVENT_PRIVATE_DATA), "place of the private data");
_Static_assert(offsetof(struct event_record, token) == OF_CM(EVENT_TOKEN), "place of the token");
_Static_assert(offsetof(struct event_record, new_id) == OF_CM(EVENT_NEW_ID), "place of the new id");
_Static_assert(offsetof(struct event_record, private_length) == OF_CM(EVENT_PRIVATE_LENGTH), "place of the length");
_Static_assert(sizeof(struct address_record) == OF_CM(ADDRESS_BYTES), "size of an address");

NATIVE(jint, version)(JNIEnv *env, jobject self) {
    (void)env;
    (void)self;
    return org_verbena_rdma_disni_LibDisni_VERSION;
}

NATIVE(jintArray, layout)(JNIEnv *env, jobject self) {
    (void)self;
    static const jint numbers[] = {OF_VERBS(SEGMENT_BYTES),     OF_VERBS(COMPLETION_BYTES), OF_VERBS(MAX_POLL),
                                   OF_VERBS(DEVICE_ATTRIBUTES), OF_VERBS(PORT_ATTRIBUTES),  OF_VERBS(QP_SIZES),
                                   OF_CM(ADDRESS_BYTES),        OF_CM(EVENT_BYTES),         OF_CM(EVENT_PRIVATE_DATA),
                                   OF_CM(ROUTE_ATTRIBUTES)};
    const jsize count = (jsize)(sizeof(numbers) / sizeof(numbers[0]));
    jintArray layout = (*env)->NewIntArray(env, count);
    if (layout != NULL) {
        (*env)->SetIntArrayRegion(env, layout, 0, count, numbers);
    }
    return layout;
}

NATIVE(jstring, openLibraries)(JNIEnv *env, jobject self) {
    (void)self;
    char sentence[256];
    return library_open(sentence, sizeof(sentence)) == 0 ? NULL : (*env)->NewStringUTF(env, sentence);
}

NATIVE(jstring, versions)(JNIEnv *env, jobject self) {
    (void)self;
    char text[512];
    library_versions(text, sizeof(text));
    return (*env)->NewStringUTF(env, text);
}
