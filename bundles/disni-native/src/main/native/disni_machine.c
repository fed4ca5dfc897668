// NativeAffinity and MemoryUtils.
#define _GNU_SOURCE
#include <jni.h>
#include <sched.h>
#include <stdint.h>

static const int BITS = 63; // those of a positive jlong

JNIEXPORT void JNICALL Java_com_ibm_disni_util_NativeAffinity__1setAffinity(JNIEnv *env, jclass self, jlong mask) {
    (void)env;
    (void)self;
    cpu_set_t set;
    CPU_ZERO(&set);
    for (int bit = 0; bit < BITS; bit++) {
        if (mask & (INT64_C(1) << bit)) {
            CPU_SET(bit, &set);
        }
    }
    // DiSNI has no way to hear that this has failed.
    (void)sched_setaffinity(0, sizeof(set), &set);
}

JNIEXPORT jlong JNICALL Java_com_ibm_disni_util_NativeAffinity__1getAffinity(JNIEnv *env, jclass self) {
    (void)env;
    (void)self;
    cpu_set_t set;
    jlong mask = 0;
    if (sched_getaffinity(0, sizeof(set), &set) == 0) {
        for (int bit = 0; bit < BITS; bit++) {
            if (CPU_ISSET(bit, &set)) {
                mask |= INT64_C(1) << bit;
            }
        }
    }
    return mask;
}

JNIEXPORT jlong JNICALL Java_com_ibm_disni_util_MemoryUtils_address(JNIEnv *env, jclass self, jobject buffer) {
    (void)self;
    return (jlong)(uintptr_t)(*env)->GetDirectBufferAddress(env, buffer);
}
