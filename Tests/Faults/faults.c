/* A shim for LD_PRELOAD that fails one call of the C library, and counts the calls of its kind.
 *
 *   NEATLINE_FAULT=malloc        the kind of call that fails: see faults.h
 *   NEATLINE_FAULT_AT=n          the number of the call that fails, from 1; 0 or unset: none
 *   NEATLINE_FAULT_TIMES=n       how many fail from there on; 1 by default
 *   NEATLINE_FAULT_MIN=bytes     allocations below this size neither fail nor count; 65536 by default
 *   NEATLINE_FAULT_ERROR=name    the error of input and output: EIO, ENOSPC, EMFILE, EINTR, EAGAIN, ENOMEM, or short
 *   NEATLINE_FAULT_COUNT=path    where the number of calls is written when the process ends
 *   NEATLINE_FAULT_TRACE=1       writes a backtrace of each call that fails to the standard error
 *
 * A program that runs under the shim can do the same for a part of its work: `neatline_fault_arm`. */
#define _GNU_SOURCE
#include "faults.h"

#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const kind_names[FAULT_KIND_COUNT] = {
    "none", "malloc", "open", "read", "write", "sync", "rename", "truncate", "stat", "map", "socket", "poll", "thread"};

static atomic_int armed;
static atomic_long seen, first, last;
static size_t least = 65536;
static int traces;
static const char *count_path;

static enum fault_kind kind_named(const char *name) {
  for (int kind = 0; kind < FAULT_KIND_COUNT; kind++)
    if (strcmp(name, kind_names[kind]) == 0) return (enum fault_kind)kind;
  fprintf(stderr, "NEATLINE_FAULT: there is no kind of fault called %s\n", name);
  _exit(99);
}

void neatline_fault_arm(const char *kind, long at, long times, size_t min) {
  atomic_store(&armed, FAULT_NONE);
  least = min;
  atomic_store(&seen, 0);
  atomic_store(&first, at);
  atomic_store(&last, at + times - 1);
  atomic_store(&armed, kind_named(kind));
}

long neatline_fault_disarm(void) {
  atomic_store(&armed, FAULT_NONE);
  return atomic_load(&seen);
}

int fault_error = EIO;

void neatline_fault_use(const char *error) {
  static const struct { const char *name; int number; } errors[] = {
      {"EIO", EIO},     {"ENOSPC", ENOSPC}, {"EMFILE", EMFILE}, {"EINTR", EINTR},
      {"EAGAIN", EAGAIN}, {"ENOMEM", ENOMEM}, {"EACCES", EACCES}, {"short", 0}};
  for (size_t n = 0; n < sizeof errors / sizeof *errors; n++)
    if (strcmp(error, errors[n].name) == 0) {
      fault_error = errors[n].number;
      return;
    }
  fprintf(stderr, "NEATLINE_FAULT_ERROR: there is no error called %s\n", error);
  _exit(99);
}

void neatline_fault_trace(bool is_on) {
  /* The first backtrace loads a library, which allocates. */
  void *frame;
  if (is_on) backtrace(&frame, 1);
  traces = is_on;
}

static void trace(void) {
  void *frames[64];
  int count = backtrace(frames, 64);
  backtrace_symbols_fd(frames, count, STDERR_FILENO);
}

bool fault_due(enum fault_kind kind, size_t size) {
  if (atomic_load_explicit(&armed, memory_order_relaxed) != (int)kind) return false;
  if (kind == FAULT_MALLOC && size < least) return false;
  long number = atomic_fetch_add(&seen, 1) + 1;
  if (number < atomic_load(&first) || number > atomic_load(&last)) return false;
  if (traces) trace();
  return true;
}

static long number_in(const char *name, long otherwise) {
  const char *text = getenv(name);
  return text == NULL || *text == 0 ? otherwise : atol(text);
}

__attribute__((constructor)) static void begin(void) {
  const char *kind = getenv("NEATLINE_FAULT");
  neatline_fault_trace(number_in("NEATLINE_FAULT_TRACE", 0) != 0);
  count_path = getenv("NEATLINE_FAULT_COUNT");
  if (getenv("NEATLINE_FAULT_ERROR") != NULL) neatline_fault_use(getenv("NEATLINE_FAULT_ERROR"));
  if (kind == NULL) return;
  neatline_fault_arm(
      kind, number_in("NEATLINE_FAULT_AT", 0), number_in("NEATLINE_FAULT_TIMES", 1),
      (size_t)number_in("NEATLINE_FAULT_MIN", 65536));
}

__attribute__((destructor)) static void end(void) {
  long count = neatline_fault_disarm();
  if (count_path == NULL) return;
  char text[32];
  int size = snprintf(text, sizeof text, "%ld\n", count);
  int file = open(count_path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file < 0) return;
  if (write(file, text, (size_t)size) != size) perror(count_path);
  close(file);
}
