// What the kernel tells over netlink: its devices, and which network interface belongs to a port of one.
#pragma once

#include <stddef.h>

struct device_names {
    char (*list)[64];
    size_t count;
};

// Adds the names of the devices that the kernel has, without those that it has begun to remove. Returns 0, or -1 where
// the kernel does not tell. The list is to be freed.
int registered_devices(struct device_names *names);

// Writes the name; returns 0, or -1 where there is none that this process can see.
int interface_of_port(const char *device, unsigned int port, char *name, size_t size);
