#include "addresses.h"

#include <netinet/in.h>
#include <string.h>

struct sockaddr *address_from(JNIEnv *env, jbyteArray array, struct sockaddr_storage *place) {
    struct address_record record;
    if (array == NULL) {
        return NULL;
    }
    (*env)->GetByteArrayRegion(env, array, 0, sizeof(record), (jbyte *)&record);
    memset(place, 0, sizeof(*place));
    if (record.family == 4) {
        struct sockaddr_in *in = (struct sockaddr_in *)place;
        in->sin_family = AF_INET;
        in->sin_port = record.port;
        memcpy(&in->sin_addr, record.address, sizeof(in->sin_addr));
    } else if (record.family == 6) {
        struct sockaddr_in6 *in6 = (struct sockaddr_in6 *)place;
        in6->sin6_family = AF_INET6;
        in6->sin6_port = record.port;
        in6->sin6_scope_id = ntohl(record.scope);
        memcpy(&in6->sin6_addr, record.address, sizeof(in6->sin6_addr));
    } else {
        return NULL;
    }
    return (struct sockaddr *)place;
}

void address_to(JNIEnv *env, const struct sockaddr *from, jbyteArray array) {
    struct address_record record;
    memset(&record, 0, sizeof(record));
    if (from->sa_family == AF_INET) {
        const struct sockaddr_in *in = (const struct sockaddr_in *)from;
        record.family = 4;
        record.port = in->sin_port;
        memcpy(record.address, &in->sin_addr, sizeof(in->sin_addr));
    } else if (from->sa_family == AF_INET6) {
        const struct sockaddr_in6 *in6 = (const struct sockaddr_in6 *)from;
        record.family = 6;
        record.port = in6->sin6_port;
        record.scope = htonl(in6->sin6_scope_id);
        memcpy(record.address, &in6->sin6_addr, sizeof(in6->sin6_addr));
    }
    (*env)->SetByteArrayRegion(env, array, 0, sizeof(record), (const jbyte *)&record);
}
