#define _GNU_SOURCE
#include "stack.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

// Of the calling thread, asked for once: for the first thread of a process the system library reads /proc/self/maps.
static _Thread_local bool is_known;
static _Thread_local uintptr_t lowest, past;

static void find(void) {
  pthread_attr_t attributes;
  void *address = NULL;
  size_t size = 0, guard = 0;
  is_known = true;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
  if (pthread_attr_getstack(&attributes, &address, &size) == 0) {
    // Whether the guard counts as a part of the stack differs between system libraries and their versions.
    if (pthread_attr_getguardsize(&attributes, &guard) != 0 || guard > size) guard = 0;
    lowest = (uintptr_t)address + guard;
    past = (uintptr_t)address + size;
  }
  // unchecked: it frees memory, and nothing follows from its result.
  pthread_attr_destroy(&attributes);
}

ptrdiff_t stack_left(void) {
  if (!is_known) find();
  uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  return here < lowest || here >= past ? PTRDIFF_MAX : (ptrdiff_t)(here - lowest);
}
