#define _GNU_SOURCE
#include "library.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

// The Java side and the wire to the kernel rely on these.
_Static_assert(sizeof(struct ibv_sge) == 16, "size of ibv_sge");
_Static_assert(sizeof(struct ibv_wc) == 48, "size of ibv_wc");
_Static_assert(sizeof(void *) == 8, "64 bits");

struct verbs_functions verbs;
struct cm_functions cm;

// Guards everything below, and the filling in of the tables.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *verbs_handle;
static void *cm_handle;
static int channels;

struct symbol {
    const char *name;
    void **place;
};

#define VERBS_SYMBOL(result, name, arguments) {#name, (void **)&verbs.name},
#define CM_SYMBOL(result, name, arguments) {#name, (void **)&cm.name},

static const struct symbol verbs_symbols[] = {VERBS_FUNCTIONS(VERBS_SYMBOL)};
static const struct symbol cm_symbols[] = {CM_FUNCTIONS(CM_SYMBOL)};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void *open_one(const char *file, const char *package, const struct symbol *symbols, size_t count, char *sentence,
                      size_t size) {
    void *handle = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) {
        snprintf(sentence, size, "%s is not there: install %s (%s)", file, package, dlerror());
        return NULL;
    }
    for (size_t i = 0; i < count; i++) {
        *symbols[i].place = dlsym(handle, symbols[i].name);
        if (*symbols[i].place == NULL) {
            snprintf(sentence, size, "%s has no %s: install a newer %s, rdma-core 19 at least", file, symbols[i].name,
                     package);
            dlclose(handle);
            return NULL;
        }
    }
    return handle;
}

// Call with the lock.
static int open_both(char *sentence, size_t size) {
    if (verbs_handle == NULL) {
        verbs_handle =
            open_one("libibverbs.so.1", "libibverbs1", verbs_symbols, COUNT(verbs_symbols), sentence, size);
    }
    if (verbs_handle != NULL && cm_handle == NULL) {
        cm_handle = open_one("librdmacm.so.1", "librdmacm1", cm_symbols, COUNT(cm_symbols), sentence, size);
    }
    return verbs_handle != NULL && cm_handle != NULL ? 0 : -1;
}

int library_open(char *sentence, size_t size) {
    pthread_mutex_lock(&lock);
    int result = open_both(sentence, size);
    pthread_mutex_unlock(&lock);
    return result;
}

static const char *path_of(void *handle) {
    struct link_map *map = NULL;
    return handle != NULL && dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0 ? map->l_name : "(not open)";
}

void library_versions(char *text, size_t size) {
    pthread_mutex_lock(&lock);
    snprintf(text, size, "%s, %s", path_of(cm_handle), path_of(verbs_handle));
    pthread_mutex_unlock(&lock);
}

struct rdma_event_channel *library_create_channel(void) {
    char sentence[256];
    struct rdma_event_channel *channel = NULL;
    pthread_mutex_lock(&lock);
    if (open_both(sentence, sizeof(sentence)) == 0) {
        channel = cm.rdma_create_event_channel();
        if (channel != NULL) {
            channels++;
        }
    } else {
        errno = ENOSYS;
    }
    pthread_mutex_unlock(&lock);
    return channel;
}

void library_destroy_channel(struct rdma_event_channel *channel) {
    cm.rdma_destroy_event_channel(channel);
    pthread_mutex_lock(&lock);
    channels--;
    pthread_mutex_unlock(&lock);
}

// librdmacm compares the devices that it has open with those that there are when an id is made.
static void look_again(void) {
    struct rdma_event_channel *channel = cm.rdma_create_event_channel();
    struct rdma_cm_id *id;
    if (channel == NULL) {
        return;
    }
    if (cm.rdma_create_id(channel, &id, NULL, RDMA_PS_TCP) == 0) {
        cm.rdma_destroy_id(id);
    }
    cm.rdma_destroy_event_channel(channel);
}

int library_release(void) {
    pthread_mutex_lock(&lock);
    int left = channels;
    if (left == 0 && cm_handle != NULL) {
        dlclose(cm_handle);
        cm_handle = NULL;
    } else if (left > 0) {
        look_again();
    }
    pthread_mutex_unlock(&lock);
    return left;
}
