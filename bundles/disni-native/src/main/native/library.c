#define _GNU_SOURCE
#include "library.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

// A context of librdmacm's: its descriptors, and the file by which they are known to be still its.
struct note {
    struct note *next;
    int command_descriptor;
    int event_descriptor;
    dev_t file_system;
    ino_t file;
    char device[64];
};

static struct note *notes;

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

static bool is_still(const struct note *note) {
    struct stat found;
    return fstat(note->command_descriptor, &found) == 0 && found.st_dev == note->file_system &&
           found.st_ino == note->file;
}

void library_note(const struct ibv_context *context) {
    struct stat file;
    if (fstat(context->cmd_fd, &file) != 0) {
        return;
    }
    pthread_mutex_lock(&lock);
    struct note *note = notes;
    while (note != NULL && (note->command_descriptor != context->cmd_fd || !is_still(note))) {
        note = note->next;
    }
    if (note == NULL && (note = malloc(sizeof(*note))) != NULL) {
        note->command_descriptor = context->cmd_fd;
        note->event_descriptor = context->async_fd;
        note->file_system = file.st_dev;
        note->file = file.st_ino;
        snprintf(note->device, sizeof(note->device), "%s", verbs.ibv_get_device_name(context->device));
        note->next = notes;
        notes = note;
    }
    pthread_mutex_unlock(&lock);
}

// The numbers stay taken, so that librdmacm, where it closes them after all, closes nothing of others.
static void let_go(const struct note *note) {
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (nothing >= 0) {
        dup2(nothing, note->command_descriptor);
        dup2(nothing, note->event_descriptor);
        close(nothing);
    }
}

// Call with the lock; for all devices where the name is NULL.
static void release(const char *name) {
    struct note **place = &notes;
    while (*place != NULL) {
        struct note *note = *place;
        if (name != NULL && strcmp(note->device, name) != 0) {
            place = &note->next;
            continue;
        }
        if (is_still(note)) {
            let_go(note);
        }
        *place = note->next;
        free(note);
    }
}

void library_release_device(const char *name) {
    pthread_mutex_lock(&lock);
    release(name);
    pthread_mutex_unlock(&lock);
}

int library_release(void) {
    pthread_mutex_lock(&lock);
    int left = channels;
    if (left == 0 && cm_handle != NULL) {
        release(NULL);
        dlclose(cm_handle);
        cm_handle = NULL;
    }
    pthread_mutex_unlock(&lock);
    return left;
}
