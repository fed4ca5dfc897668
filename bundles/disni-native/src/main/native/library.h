// librdmacm and libibverbs, opened at run time: their absence is a sentence, and one build serves every version.
#pragma once

#include <infiniband/verbs.h>
#include <rdma/rdma_cma.h>

// What <infiniband/verbs.h> turns into something else.
#undef ibv_get_device_list
#undef ibv_query_port
#undef ibv_reg_mr

#define VERBS_FUNCTIONS(X)                                                                                          \
    X(struct ibv_device **, ibv_get_device_list, (int *))                                                           \
    X(void, ibv_free_device_list, (struct ibv_device **))                                                           \
    X(const char *, ibv_get_device_name, (struct ibv_device *))                                                     \
    X(__be64, ibv_get_device_guid, (struct ibv_device *))                                                           \
    X(struct ibv_context *, ibv_open_device, (struct ibv_device *))                                                 \
    X(int, ibv_close_device, (struct ibv_context *))                                                                \
    X(int, ibv_query_device, (struct ibv_context *, struct ibv_device_attr *))                                      \
    X(int, ibv_query_port, (struct ibv_context *, uint8_t, struct ibv_port_attr *))                                 \
    X(int, ibv_get_async_event, (struct ibv_context *, struct ibv_async_event *))                                   \
    X(void, ibv_ack_async_event, (struct ibv_async_event *))                                                        \
    X(struct ibv_pd *, ibv_alloc_pd, (struct ibv_context *))                                                        \
    X(int, ibv_dealloc_pd, (struct ibv_pd *))                                                                       \
    X(struct ibv_mr *, ibv_reg_mr, (struct ibv_pd *, void *, size_t, int))                                          \
    X(int, ibv_dereg_mr, (struct ibv_mr *))                                                                         \
    X(struct ibv_comp_channel *, ibv_create_comp_channel, (struct ibv_context *))                                   \
    X(int, ibv_destroy_comp_channel, (struct ibv_comp_channel *))                                                   \
    X(struct ibv_cq *, ibv_create_cq, (struct ibv_context *, int, void *, struct ibv_comp_channel *, int))          \
    X(int, ibv_destroy_cq, (struct ibv_cq *))                                                                       \
    X(int, ibv_get_cq_event, (struct ibv_comp_channel *, struct ibv_cq **, void **))                                \
    X(void, ibv_ack_cq_events, (struct ibv_cq *, unsigned int))                                                     \
    X(struct ibv_srq *, ibv_create_srq, (struct ibv_pd *, struct ibv_srq_init_attr *))                              \
    X(int, ibv_destroy_srq, (struct ibv_srq *))                                                                     \
    X(struct ibv_qp *, ibv_create_qp, (struct ibv_pd *, struct ibv_qp_init_attr *))                                 \
    X(int, ibv_modify_qp, (struct ibv_qp *, struct ibv_qp_attr *, int))                                             \
    X(int, ibv_query_qp, (struct ibv_qp *, struct ibv_qp_attr *, int, struct ibv_qp_init_attr *))                   \
    X(int, ibv_destroy_qp, (struct ibv_qp *))

#define CM_FUNCTIONS(X)                                                                                             \
    X(struct rdma_event_channel *, rdma_create_event_channel, (void))                                               \
    X(void, rdma_destroy_event_channel, (struct rdma_event_channel *))                                              \
    X(int, rdma_get_cm_event, (struct rdma_event_channel *, struct rdma_cm_event **))                               \
    X(int, rdma_ack_cm_event, (struct rdma_cm_event *))                                                             \
    X(int, rdma_create_id, (struct rdma_event_channel *, struct rdma_cm_id **, void *, enum rdma_port_space))       \
    X(int, rdma_destroy_id, (struct rdma_cm_id *))                                                                  \
    X(void, rdma_destroy_ep, (struct rdma_cm_id *))                                                                 \
    X(int, rdma_set_option, (struct rdma_cm_id *, int, int, void *, size_t))                                        \
    X(int, rdma_bind_addr, (struct rdma_cm_id *, struct sockaddr *))                                                \
    X(int, rdma_listen, (struct rdma_cm_id *, int))                                                                 \
    X(int, rdma_resolve_addr, (struct rdma_cm_id *, struct sockaddr *, struct sockaddr *, int))                     \
    X(int, rdma_resolve_route, (struct rdma_cm_id *, int))                                                          \
    X(int, rdma_create_qp, (struct rdma_cm_id *, struct ibv_pd *, struct ibv_qp_init_attr *))                       \
    X(void, rdma_destroy_qp, (struct rdma_cm_id *))                                                                 \
    X(int, rdma_init_qp_attr, (struct rdma_cm_id *, struct ibv_qp_attr *, int *))                                   \
    X(int, rdma_connect, (struct rdma_cm_id *, struct rdma_conn_param *))                                           \
    X(int, rdma_establish, (struct rdma_cm_id *))                                                                   \
    X(int, rdma_notify, (struct rdma_cm_id *, enum ibv_event_type))                                                 \
    X(int, rdma_accept, (struct rdma_cm_id *, struct rdma_conn_param *))                                            \
    X(int, rdma_reject, (struct rdma_cm_id *, const void *, uint8_t))                                               \
    X(int, rdma_disconnect, (struct rdma_cm_id *))

#define LIBRARY_MEMBER(result, name, arguments) result(*name) arguments;

struct verbs_functions {
    VERBS_FUNCTIONS(LIBRARY_MEMBER)
};

struct cm_functions {
    CM_FUNCTIONS(LIBRARY_MEMBER)
};

// Filled in by library_open; those of cm stay as they are while there is a channel.
extern struct verbs_functions verbs;
extern struct cm_functions cm;

// Opens both libraries if they are not open. Returns 0, or -1 with a sentence.
int library_open(char *sentence, size_t size);

// Writes where the two libraries come from.
void library_versions(char *text, size_t size);

// Event channels are made and destroyed through these alone, since they keep librdmacm open.
struct rdma_event_channel *library_create_channel(void);
void library_destroy_channel(struct rdma_event_channel *channel);

// librdmacm keeps a device open that it has seen, for the life of the process: it closes none by itself, neither when the
// device is gone nor when it is unloaded. Meanwhile the kernel cannot remove the device. So its contexts are noted, and
// their descriptors are let go of.

// Takes note of a context of librdmacm's.
void library_note(const struct ibv_context *context);

// Lets go of a device that is gone. Nobody else in this process has it open any more.
void library_release_device(const char *name);

// Lets go of all devices and unloads librdmacm, if there is no channel. Returns how many channels there are.
int library_release(void);
