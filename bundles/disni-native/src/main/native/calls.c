#define _GNU_SOURCE
#include "calls.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

// A signal ends a system call that waits, if its handler does not ask for a restart. It may come before the system call
// has begun, and would be lost: so it is sent again until the call is back.
static const long AGAIN_NANOSECONDS = 5 * 1000 * 1000;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int interruption; // the signal, or 0 if none is free

struct call {
    pthread_mutex_t lock; // guards the rest
    pthread_cond_t over;
    pthread_t thread;
    bool running;
    bool interrupted;
};

static void ignore(int number) { (void)number; }

static void choose_signal(void) {
    for (int number = SIGRTMIN + 4; number < SIGRTMAX - 4; number++) {
        struct sigaction present;
        if (sigaction(number, NULL, &present) == 0 && !(present.sa_flags & SA_SIGINFO) &&
            present.sa_handler == SIG_DFL) {
            struct sigaction action = {.sa_handler = ignore};
            sigemptyset(&action.sa_mask);
            if (sigaction(number, &action, NULL) == 0) {
                interruption = number;
                return;
            }
        }
    }
}

struct call *call_create(void) {
    pthread_once(&once, choose_signal);
    struct call *call = calloc(1, sizeof(*call));
    if (call != NULL) {
        pthread_condattr_t attributes;
        pthread_condattr_init(&attributes);
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
        pthread_mutex_init(&call->lock, NULL);
        pthread_cond_init(&call->over, &attributes);
        pthread_condattr_destroy(&attributes);
    }
    return call;
}

void call_free(struct call *call) {
    pthread_cond_destroy(&call->over);
    pthread_mutex_destroy(&call->lock);
    free(call);
}

int call_begin(struct call *call) {
    sigset_t set;
    pthread_mutex_lock(&call->lock);
    bool interrupted = call->interrupted;
    if (!interrupted) {
        call->running = true;
        call->thread = pthread_self();
    }
    pthread_mutex_unlock(&call->lock);
    if (interrupted) {
        return -EINTR;
    }
    if (interruption != 0) {
        sigemptyset(&set);
        sigaddset(&set, interruption);
        pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    }
    return 0;
}

void call_end(struct call *call) {
    pthread_mutex_lock(&call->lock);
    call->running = false;
    pthread_cond_broadcast(&call->over);
    pthread_mutex_unlock(&call->lock);
}

void call_interrupt(struct call *call) {
    pthread_mutex_lock(&call->lock);
    call->interrupted = true;
    while (call->running) {
        if (interruption != 0) {
            pthread_kill(call->thread, interruption);
        }
        struct timespec again;
        clock_gettime(CLOCK_MONOTONIC, &again);
        again.tv_nsec += AGAIN_NANOSECONDS;
        if (again.tv_nsec >= 1000000000) {
            again.tv_sec++;
            again.tv_nsec -= 1000000000;
        }
        pthread_cond_timedwait(&call->over, &call->lock, &again);
    }
    pthread_mutex_unlock(&call->lock);
}
