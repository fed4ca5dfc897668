// Events of connection management as Java reads them.
#pragma once

#include <rdma/rdma_cma.h>
#include <stdint.h>

struct event_record {
    int32_t type;
    int32_t status;
    uint64_t token;
    uint64_t new_id;
    int32_t responder_resources;
    int32_t initiator_depth;
    int32_t retries;
    int32_t rnr_retries;
    int32_t private_length;
    int32_t nothing;
    uint8_t private_data[256];
};

// Takes one event, copies it and acknowledges it. Returns 0, or the negated error: -EAGAIN where there is none.
int event_read(struct rdma_event_channel *channel, struct event_record *record);

// Lets the reading from a descriptor not wait. Returns 0, or the negated error.
int descriptor_does_not_wait(int descriptor);
