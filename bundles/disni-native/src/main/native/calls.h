// A call that may wait inside of the kernel, and can be interrupted.
#pragma once

struct call;

struct call *call_create(void);
void call_free(struct call *call);

// Around the call itself, on the thread that makes it. call_begin returns 0, or -EINTR if it was interrupted already.
int call_begin(struct call *call);
void call_end(struct call *call);

// Interrupts the call and returns when call_end was reached.
void call_interrupt(struct call *call);
