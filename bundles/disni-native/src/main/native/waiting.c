// LibDisni: waiting for descriptors.
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "natives.h"
#include "org_verbena_rdma_disni_LibDisni.h"

NATIVE(jint, createWaker)(JNIEnv *env, jobject self) {
    (void)env;
    (void)self;
    int waker = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    return waker >= 0 ? waker : -errno;
}

NATIVE(jint, wake)(JNIEnv *env, jobject self, jint waker) {
    (void)env;
    (void)self;
    return eventfd_write(waker, 1) == 0 ? 0 : -errno;
}

NATIVE(jint, calm)(JNIEnv *env, jobject self, jint waker) {
    (void)env;
    (void)self;
    eventfd_t count;
    return eventfd_read(waker, &count) == 0 || errno == EAGAIN ? 0 : -errno;
}

NATIVE(jint, closeWaker)(JNIEnv *env, jobject self, jint waker) {
    (void)env;
    (void)self;
    return close(waker) == 0 ? 0 : -errno;
}

NATIVE(jint, await)(JNIEnv *env, jobject self, jint first, jint second, jint waker) {
    (void)env;
    (void)self;
    struct pollfd descriptors[] = {{.fd = first, .events = POLLIN},
                                   {.fd = second, .events = POLLIN},
                                   {.fd = waker, .events = POLLIN}};
    while (poll(descriptors, 3, -1) < 0) {
        if (errno != EINTR && errno != EAGAIN) {
            return -errno;
        }
    }
    int ready = 0;
    for (int i = 0; i < 3; i++) {
        if (descriptors[i].revents != 0) {
            ready |= 1 << i;
        }
    }
    return ready;
}
