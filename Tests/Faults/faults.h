/* The core of the shim: which call fails, and how many there were. Files beside it stand in front of the C
 * library's functions and ask `fault_due` before each call. */
#ifndef FAULTS_H
#define FAULTS_H

#include <stdbool.h>
#include <stddef.h>

/* The kinds of calls, by the names that NEATLINE_FAULT takes. */
enum fault_kind {
  FAULT_NONE,
  FAULT_MALLOC, /* malloc, calloc, realloc, posix_memalign, aligned_alloc, mmap of anonymous memory */
  FAULT_KIND_COUNT
};

/* Counts a call of a kind; whether it is the one that fails. */
bool fault_due(enum fault_kind kind, size_t size);

/* For programs that run under the shim, who find these functions as weak symbols.
 *
 * Fails `times` calls of `kind` (a name, as in NEATLINE_FAULT) from the one of number `at` on, which counts from 1; 0: none, but calls are
 * counted. Of allocations those count that are of `min` bytes and more. */
void neatline_fault_arm(const char *kind, long at, long times, size_t min);
/* Ends it, and returns how many calls there were. */
long neatline_fault_disarm(void);

#endif
