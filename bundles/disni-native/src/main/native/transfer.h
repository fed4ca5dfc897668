// Completions as Java reads them.
#pragma once

#include <stdint.h>

struct completion {
    uint64_t work_request_id;
    int32_t status;
    int32_t operation;
    uint32_t byte_count;
    uint32_t queue_pair_number;
    uint32_t flags;
    uint32_t immediate_or_key; // immediate data in the order of the host
    uint32_t vendor_error;
    uint32_t nothing;
};
