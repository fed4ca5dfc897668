// What the natives of DiSNI's own classes share. Their names and what they read and write are given by DiSNI's jar.
#pragma once

#include <errno.h>
#include <jni.h>
#include <stdint.h>

#include "library.h"

#define DISPATCHER(result, name) JNIEXPORT result JNICALL Java_com_ibm_disni_verbs_impl_NativeDispatcher__1##name

static inline void *pointer(jlong handle) { return (void *)(uintptr_t)handle; }

// Throws an IOException that says what failed and why, from errno.
void disni_throw(JNIEnv *env, const char *what, int error);

// Waits until a descriptor is readable; 1 if it is, 0 if the time is over, -1 for an error. Below 0 there is no limit.
int disni_wait(int descriptor, int milliseconds);
