/* Allocations that fail. glibc's own names for its functions are behind them; a compiler must not make the
 * functions here into calls of themselves. */
#define _GNU_SOURCE
#include "faults.h"

#include <errno.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static void *refused(void) {
  errno = ENOMEM;
  return NULL;
}

void *malloc(size_t size) { return fault_due(FAULT_MALLOC, size) ? refused() : __libc_malloc(size); }

void *calloc(size_t number, size_t size) {
  size_t bytes = 0;
  if (__builtin_mul_overflow(number, size, &bytes)) return refused();
  return fault_due(FAULT_MALLOC, bytes) ? refused() : __libc_calloc(number, size);
}

void *realloc(void *block, size_t size) {
  return fault_due(FAULT_MALLOC, size) ? refused() : __libc_realloc(block, size);
}

void *memalign(size_t alignment, size_t size) {
  return fault_due(FAULT_MALLOC, size) ? refused() : __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **block, size_t alignment, size_t size) {
  if (alignment < sizeof(void *) || (alignment & (alignment - 1)) != 0) return EINVAL;
  void *result = memalign(alignment, size);
  if (result == NULL) return ENOMEM;
  *block = result;
  return 0;
}

void *mmap(void *address, size_t size, int protection, int flags, int file, off_t offset) {
  if ((flags & MAP_ANONYMOUS) != 0 && fault_due(FAULT_MALLOC, size)) {
    errno = ENOMEM;
    return MAP_FAILED;
  }
  if ((flags & MAP_ANONYMOUS) == 0 && fault_error != 0 && fault_due(FAULT_MAP, size)) {
    errno = fault_error;
    return MAP_FAILED;
  }
  return (void *)(uintptr_t)syscall(SYS_mmap, address, size, protection, flags, file, offset);
}

/* The same function where off_t has 64 bits. */
void *mmap64(void *address, size_t size, int protection, int flags, int file, off64_t offset) {
  return mmap(address, size, protection, flags, file, offset);
}
