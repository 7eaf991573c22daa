// Counts what a process allocates, for benchmarks: the C allocator's functions stand here again and hand over to glibc's own.
#ifndef NEATLINE_ALLOCATION_COUNT_H
#define NEATLINE_ALLOCATION_COUNT_H

#include <stdbool.h>
#include <stdint.h>

/// Whether this C library lets its allocator be replaced (glibc does).
bool allocation_count_is_available(void);

/// Starts to count at 0, in all threads.
void allocation_count_start(void);

/// Stops, and returns the number of blocks allocated or moved since the start.
uint64_t allocation_count_stop(void);

#endif
