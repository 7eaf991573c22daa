#include "allocation_count.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

static atomic_bool is_counting;
static atomic_uint_fast64_t count;

void allocation_count_start(void) {
  atomic_store(&count, 0);
  atomic_store(&is_counting, true);
}

uint64_t allocation_count_stop(void) {
  atomic_store(&is_counting, false);
  return atomic_load(&count);
}

#ifdef __GLIBC__

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t number, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static inline void note(void) {
  if (atomic_load_explicit(&is_counting, memory_order_relaxed)) atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
}

bool allocation_count_is_available(void) { return true; }

void *malloc(size_t size) {
  note();
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  note();
  return __libc_calloc(number, size);
}

void *realloc(void *block, size_t size) {
  note();
  return __libc_realloc(block, size);
}

void *memalign(size_t alignment, size_t size) {
  note();
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  note();
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size) {
  note();
  void *made = __libc_memalign(alignment, size);
  if (!made) return ENOMEM;
  *block = made;
  return 0;
}

#else

bool allocation_count_is_available(void) { return false; }

#endif
