// NativeDispatcher: by what version and which layouts DiSNI's classes write and read memory.
#include "disni.h"

#include <netinet/in.h>

#define LAYOUT(name, number)                    \
    DISPATCHER(jint, name)(JNIEnv * env, jobject self) { \
        (void)env;                              \
        (void)self;                             \
        return (jint)(number);                  \
    }

LAYOUT(getVersion, 32)
LAYOUT(getSockAddrInSize, sizeof(struct sockaddr_in))
LAYOUT(getIbvRecvWRSize, sizeof(struct ibv_recv_wr))
LAYOUT(getIbvSendWRSize, sizeof(struct ibv_send_wr))
LAYOUT(getIbvSgeSize, sizeof(struct ibv_sge))
LAYOUT(getIbvWCSize, sizeof(struct ibv_wc))
LAYOUT(getRemoteAddressOffset, offsetof(struct ibv_send_wr, wr.rdma.remote_addr))
LAYOUT(getRKeyOffset, offsetof(struct ibv_send_wr, wr.rdma.rkey))
