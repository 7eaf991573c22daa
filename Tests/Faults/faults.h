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
  FAULT_OPEN,     /* open, openat, mkstemp */
  FAULT_READ,     /* read, pread, recv */
  FAULT_WRITE,    /* write, pwrite, send, sendmsg */
  FAULT_SYNC,     /* fsync, fdatasync */
  FAULT_RENAME,   /* rename, unlink */
  FAULT_TRUNCATE, /* ftruncate, fallocate */
  FAULT_STAT,     /* stat, lstat, fstat */
  FAULT_MAP,      /* mmap of files */
  FAULT_SOCKET,   /* socket, connect, accept, bind, listen */
  FAULT_POLL,     /* epoll_create1, eventfd, pipe */
  FAULT_THREAD,   /* pthread_create */
  FAULT_KIND_COUNT
};

/* Counts a call of a kind; whether it is the one that fails. */
bool fault_due(enum fault_kind kind, size_t size);

/* The error of calls that are not allocations: NEATLINE_FAULT_ERROR, "EIO" by default; 0 for "short", by which reads and
 * writes take half of what they are asked for, and other calls do not fail. */
extern int fault_error;

/* For programs that link the shim, or run under it and find these functions as weak symbols.
 *
 * Fails `times` calls of `kind` (a name, as in NEATLINE_FAULT) from the one of number `at` on, which counts from 1;
 * 0: none, but calls are counted. Of allocations those count that are of `min` bytes and more. */
void neatline_fault_arm(const char *kind, long at, long times, size_t min);
/* Ends it, and returns how many calls there were. */
long neatline_fault_disarm(void);
/* Sets the error, by its name. */
void neatline_fault_use(const char *error);
/* Whether a backtrace is written of each call that fails, as by NEATLINE_FAULT_TRACE. */
void neatline_fault_trace(bool is_on);

#endif
