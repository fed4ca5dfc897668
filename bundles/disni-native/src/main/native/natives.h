// What all natives of LibDisni share.
#pragma once

#include <errno.h>
#include <jni.h>
#include <stdint.h>

#include "library.h"

#define NATIVE(result, name) JNIEXPORT result JNICALL Java_org_verbena_rdma_disni_LibDisni_##name

// A handle is an address.
static inline void *pointer(jlong handle) { return (void *)(uintptr_t)handle; }
static inline jlong handle(const void *object) { return object != NULL ? (jlong)(uintptr_t)object : -(jlong)errno; }

// What librdmacm returns: 0, or -1 with errno.
static inline jint cm_result(int result) { return result == 0 ? 0 : errno > 0 ? -errno : -EIO; }
// What libibverbs returns: 0, or an error number, or -1 with errno.
static inline jint verbs_result(int result) { return result < 0 ? cm_result(result) : -result; }
