// LibDisni: protection domains and memory regions.
#include <stdlib.h>

#include "natives.h"
#include "org_verbena_rdma_disni_LibDisni.h"

// The device reaches the buffer until the registration has ended, whoever forgets it on the Java side.
struct region {
    struct ibv_mr *registration;
    jobject buffer;
};

NATIVE(jlong, allocateDomain)(JNIEnv *env, jobject self, jlong context) {
    (void)env;
    (void)self;
    return handle(verbs.ibv_alloc_pd(pointer(context)));
}

NATIVE(jint, freeDomain)(JNIEnv *env, jobject self, jlong domain) {
    (void)env;
    (void)self;
    return verbs_result(verbs.ibv_dealloc_pd(pointer(domain)));
}

NATIVE(jlong, address)(JNIEnv *env, jobject self, jobject buffer) {
    (void)self;
    return (jlong)(uintptr_t)(*env)->GetDirectBufferAddress(env, buffer);
}

NATIVE(jlong, registerMemory)
(JNIEnv *env, jobject self, jlong domain, jobject buffer, jlong length, jint access, jintArray keys) {
    (void)self;
    void *first = (*env)->GetDirectBufferAddress(env, buffer);
    if (first == NULL) {
        return -EINVAL;
    }
    struct region *region = malloc(sizeof(*region));
    if (region == NULL) {
        return -ENOMEM;
    }
    region->buffer = (*env)->NewGlobalRef(env, buffer);
    if (region->buffer == NULL) {
        free(region);
        return -ENOMEM;
    }
    region->registration = verbs.ibv_reg_mr(pointer(domain), first, (size_t)length, access);
    if (region->registration == NULL) {
        jlong error = handle(NULL);
        (*env)->DeleteGlobalRef(env, region->buffer);
        free(region);
        return error;
    }
    jint made[2] = {(jint)region->registration->lkey, (jint)region->registration->rkey};
    (*env)->SetIntArrayRegion(env, keys, 0, 2, made);
    return handle(region);
}

NATIVE(jint, deregisterMemory)(JNIEnv *env, jobject self, jlong region) {
    (void)self;
    struct region *ending = pointer(region);
    int result = verbs_result(verbs.ibv_dereg_mr(ending->registration));
    if (result == 0) {
        (*env)->DeleteGlobalRef(env, ending->buffer);
        free(ending);
    }
    return result;
}
