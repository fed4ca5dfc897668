// Which network interface belongs to a port of a device.
#pragma once

#include <stddef.h>

// Asks the kernel over netlink. Writes the name; returns 0, or -1 where there is none that this process can see.
int interface_of_port(const char *device, unsigned int port, char *name, size_t size);
