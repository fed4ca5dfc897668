// Socket addresses as Java hands them over.
#pragma once

#include <jni.h>
#include <stdint.h>
#include <sys/socket.h>

// All in network order.
struct address_record {
    uint8_t family; // 4, 6, or 0 for none
    uint8_t nothing;
    uint16_t port;
    uint32_t scope;
    uint8_t address[16];
};

// Returns the address of the array, or NULL for a null array or one without an address.
struct sockaddr *address_from(JNIEnv *env, jbyteArray array, struct sockaddr_storage *place);

void address_to(JNIEnv *env, const struct sockaddr *from, jbyteArray array);
