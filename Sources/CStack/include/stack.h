// How much stack the calling thread has left.
#ifndef NEATLINE_STACK_H
#define NEATLINE_STACK_H

#include <stddef.h>

// Bytes between the caller's frame and the end of the thread's stack, without its guard. PTRDIFF_MAX where that is not known: on a stack that a host
// switched to (coroutines, fibers, signal stacks), and where the system does not say.
ptrdiff_t stack_left(void);

#endif
