// As much of a Java virtual machine as the natives of LibDisni use, so that they can be run under AddressSanitizer.
#pragma once

#include <jni.h>

// An environment for natives. Arrays and strings are objects of the functions below.
JNIEnv *java_environment(void);

jbyteArray java_bytes(const void *content, jsize length);
jintArray java_ints(jsize length);
jlongArray java_longs(jsize length);
jstring java_string(const char *text);
// A direct buffer of so many bytes.
jobject java_buffer(jsize length);
void *java_content(jobject object);
jsize java_length(jobject object);
void java_free(jobject object);

// How many global references there are.
int java_global_references(void);
