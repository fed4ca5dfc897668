#include "interfaces.h"

#include <linux/netlink.h>
#include <rdma/rdma_netlink.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

struct request {
    struct nlmsghdr header;
    char attributes[64];
};

// What an answer is read for; strings are empty and numbers -1 where it has none.
struct answer {
    char device[64];
    long index;
    char interface[64];
};

static void add_number(struct request *request, uint16_t type, uint32_t number) {
    char *place = (char *)request + NLMSG_ALIGN(request->header.nlmsg_len);
    struct nlattr attribute = {.nla_type = type, .nla_len = (uint16_t)(NLA_HDRLEN + sizeof(number))};
    memcpy(place, &attribute, sizeof(attribute));
    memcpy(place + NLA_HDRLEN, &number, sizeof(number));
    request->header.nlmsg_len = NLMSG_ALIGN(request->header.nlmsg_len) + attribute.nla_len;
}

static void take_string(const char *from, size_t length, char *to, size_t size) {
    snprintf(to, size, "%.*s", (int)length, from);
}

static void read_answer(const struct nlmsghdr *message, struct answer *answer) {
    const char *at = (const char *)NLMSG_DATA(message);
    size_t left = message->nlmsg_len - NLMSG_HDRLEN;
    memset(answer, 0, sizeof(*answer));
    answer->index = -1;
    while (left >= NLA_HDRLEN) {
        struct nlattr attribute;
        memcpy(&attribute, at, sizeof(attribute));
        if (attribute.nla_len < NLA_HDRLEN || attribute.nla_len > left) {
            return;
        }
        const char *value = at + NLA_HDRLEN;
        size_t length = attribute.nla_len - NLA_HDRLEN;
        switch (attribute.nla_type & NLA_TYPE_MASK) {
        case RDMA_NLDEV_ATTR_DEV_NAME:
            take_string(value, length, answer->device, sizeof(answer->device));
            break;
        case RDMA_NLDEV_ATTR_DEV_INDEX:
            if (length >= sizeof(uint32_t)) {
                uint32_t number;
                memcpy(&number, value, sizeof(number));
                answer->index = number;
            }
            break;
        case RDMA_NLDEV_ATTR_NDEV_NAME:
            take_string(value, length, answer->interface, sizeof(answer->interface));
            break;
        default:
            break;
        }
        size_t whole = NLA_ALIGN(attribute.nla_len);
        if (whole > left) {
            return;
        }
        at += whole;
        left -= whole;
    }
}

// Sends a request and reads its answers until one fits, for which fits returns 1. Returns 0, 1 if none fits, -1 if there
// is no answer.
static int ask(int netlink, struct request *request, int (*fits)(const struct answer *, void *), void *with) {
    static const size_t SIZE = 16384;
    char buffer[16384] __attribute__((aligned(NLMSG_ALIGNTO)));
    if (send(netlink, request, request->header.nlmsg_len, 0) < 0) {
        return -1;
    }
    int found = 1;
    while (1) {
        ssize_t got = recv(netlink, buffer, SIZE, 0);
        if (got <= 0) {
            return found == 0 ? 0 : -1;
        }
        size_t left = (size_t)got;
        for (struct nlmsghdr *message = (struct nlmsghdr *)buffer; NLMSG_OK(message, left);
             message = NLMSG_NEXT(message, left)) {
            if (message->nlmsg_type == NLMSG_DONE) {
                return found;
            }
            if (message->nlmsg_type == NLMSG_ERROR) {
                // An acknowledgement is an error too, of number 0.
                return ((struct nlmsgerr *)NLMSG_DATA(message))->error == 0 ? found : -1;
            }
            struct answer answer;
            read_answer(message, &answer);
            if (found != 0 && fits(&answer, with)) {
                found = 0;
            }
        }
    }
}

static struct request request_for(uint16_t command, uint16_t flags) {
    struct request made;
    memset(&made, 0, sizeof(made));
    made.header.nlmsg_len = NLMSG_HDRLEN;
    made.header.nlmsg_type = (uint16_t)RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, command);
    made.header.nlmsg_flags = (uint16_t)(NLM_F_REQUEST | NLM_F_ACK | flags);
    return made;
}

struct wanted_device {
    const char *name;
    uint32_t index;
};

static int is_device(const struct answer *answer, void *with) {
    struct wanted_device *wanted = with;
    if (answer->index < 0 || strcmp(answer->device, wanted->name) != 0) {
        return 0;
    }
    wanted->index = (uint32_t)answer->index;
    return 1;
}

struct wanted_interface {
    char *name;
    size_t size;
};

static int has_interface(const struct answer *answer, void *with) {
    struct wanted_interface *wanted = with;
    if (answer->interface[0] == 0) {
        return 0;
    }
    snprintf(wanted->name, wanted->size, "%s", answer->interface);
    return 1;
}

static int open_netlink(void) {
    int netlink = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_RDMA);
    struct timeval limit = {.tv_sec = 1};
    if (netlink >= 0) {
        setsockopt(netlink, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
    }
    return netlink;
}

static int take_name(const struct answer *answer, void *with) {
    struct device_names *names = with;
    if (answer->device[0] == 0) {
        return 0;
    }
    void *more = realloc(names->list, (names->count + 1) * sizeof(*names->list));
    if (more == NULL) {
        return 1;
    }
    names->list = more;
    snprintf(names->list[names->count++], sizeof(*names->list), "%s", answer->device);
    return 0;
}

int registered_devices(struct device_names *names) {
    int netlink = open_netlink();
    if (netlink < 0) {
        return -1;
    }
    struct request devices = request_for(RDMA_NLDEV_CMD_GET, NLM_F_DUMP);
    int result = ask(netlink, &devices, take_name, names);
    close(netlink);
    return result == 1 ? 0 : -1;
}

int interface_of_port(const char *device, unsigned int port, char *name, size_t size) {
    int netlink = open_netlink();
    if (netlink < 0) {
        return -1;
    }
    struct wanted_device wanted = {.name = device};
    struct request devices = request_for(RDMA_NLDEV_CMD_GET, NLM_F_DUMP);
    int result = ask(netlink, &devices, is_device, &wanted);
    if (result == 0) {
        struct wanted_interface interface = {.name = name, .size = size};
        struct request ports = request_for(RDMA_NLDEV_CMD_PORT_GET, 0);
        add_number(&ports, RDMA_NLDEV_ATTR_DEV_INDEX, wanted.index);
        add_number(&ports, RDMA_NLDEV_ATTR_PORT_INDEX, port);
        result = ask(netlink, &ports, has_interface, &interface);
    }
    close(netlink);
    return result;
}
