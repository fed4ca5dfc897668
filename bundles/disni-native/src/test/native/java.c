#include "java.h"

#include <stdlib.h>
#include <string.h>

struct object {
    jsize length;
    void *content;
};

static int global_references;

static jobject make(const void *content, size_t size, jsize length) {
    struct object *made = malloc(sizeof(*made));
    made->length = length;
    made->content = malloc(size + 1);
    memset(made->content, 0, size + 1);
    if (content != NULL) {
        memcpy(made->content, content, size);
    }
    return (jobject)made;
}

static struct object *of(jobject object) { return (struct object *)object; }

jbyteArray java_bytes(const void *content, jsize length) { return make(content, (size_t)length, length); }
jintArray java_ints(jsize length) { return make(NULL, (size_t)length * sizeof(jint), length); }
jlongArray java_longs(jsize length) { return make(NULL, (size_t)length * sizeof(jlong), length); }
jstring java_string(const char *text) { return make(text, strlen(text), (jsize)strlen(text)); }
jobject java_buffer(jsize length) { return make(NULL, (size_t)length, length); }
void *java_content(jobject object) { return of(object)->content; }
jsize java_length(jobject object) { return of(object)->length; }
int java_global_references(void) { return global_references; }

void java_free(jobject object) {
    if (object != NULL) {
        free(of(object)->content);
        free(of(object));
    }
}

static jsize JNICALL get_array_length(JNIEnv *env, jarray array) {
    (void)env;
    return of(array)->length;
}

// Like a JVM, but that it ends the program where a JVM throws.
static void *region(jarray array, jsize start, jsize length, size_t size) {
    if (start < 0 || length < 0 || start + length > of(array)->length) {
        abort();
    }
    return (char *)of(array)->content + (size_t)start * size;
}

#define REGIONS(name, array_type, type)                                                                            \
    static void JNICALL get_##name(JNIEnv *env, array_type array, jsize start, jsize length, type *to) {            \
        (void)env;                                                                                                  \
        memcpy(to, region(array, start, length, sizeof(type)), (size_t)length * sizeof(type));                      \
    }                                                                                                               \
    static void JNICALL set_##name(JNIEnv *env, array_type array, jsize start, jsize length, const type *from) {    \
        (void)env;                                                                                                  \
        memcpy(region(array, start, length, sizeof(type)), from, (size_t)length * sizeof(type));                    \
    }

REGIONS(bytes, jbyteArray, jbyte)
REGIONS(ints, jintArray, jint)
REGIONS(longs, jlongArray, jlong)

static jintArray JNICALL new_ints(JNIEnv *env, jsize length) {
    (void)env;
    return java_ints(length);
}

static jstring JNICALL new_string(JNIEnv *env, const char *text) {
    (void)env;
    return java_string(text);
}

static const char *JNICALL get_string(JNIEnv *env, jstring string, jboolean *is_copy) {
    (void)env;
    (void)is_copy;
    return of(string)->content;
}

static void JNICALL release_string(JNIEnv *env, jstring string, const char *text) {
    (void)env;
    (void)string;
    (void)text;
}

static jclass JNICALL find_class(JNIEnv *env, const char *name) {
    (void)env;
    static struct object any;
    (void)name;
    return (jclass)&any;
}

static jobjectArray JNICALL new_objects(JNIEnv *env, jsize length, jclass type, jobject first) {
    (void)env;
    (void)type;
    (void)first;
    return make(NULL, (size_t)length * sizeof(jobject), length);
}

static void JNICALL set_object(JNIEnv *env, jobjectArray array, jsize index, jobject value) {
    (void)env;
    memcpy(region(array, index, 1, sizeof(value)), &value, sizeof(value));
}

static void JNICALL delete_local(JNIEnv *env, jobject object) {
    (void)env;
    (void)object;
}

static jobject JNICALL new_global(JNIEnv *env, jobject object) {
    (void)env;
    global_references++;
    return object;
}

static void JNICALL delete_global(JNIEnv *env, jobject object) {
    (void)env;
    (void)object;
    global_references--;
}

static void *JNICALL direct_address(JNIEnv *env, jobject buffer) {
    (void)env;
    return of(buffer)->content;
}

JNIEnv *java_environment(void) {
    static struct JNINativeInterface_ functions;
    static JNIEnv environment = &functions;
    functions.GetArrayLength = get_array_length;
    functions.GetByteArrayRegion = get_bytes;
    functions.SetByteArrayRegion = set_bytes;
    functions.GetIntArrayRegion = get_ints;
    functions.SetIntArrayRegion = set_ints;
    functions.GetLongArrayRegion = get_longs;
    functions.SetLongArrayRegion = set_longs;
    functions.NewIntArray = new_ints;
    functions.NewStringUTF = new_string;
    functions.GetStringUTFChars = get_string;
    functions.ReleaseStringUTFChars = release_string;
    functions.FindClass = find_class;
    functions.NewObjectArray = new_objects;
    functions.SetObjectArrayElement = set_object;
    functions.DeleteLocalRef = delete_local;
    functions.NewGlobalRef = new_global;
    functions.DeleteGlobalRef = delete_global;
    functions.GetDirectBufferAddress = direct_address;
    return &environment;
}
