/* Counts the bytes that malloc has given out, for the bound of memory of a run: this program's definitions of
   malloc and its relatives come before those of the C library, also for libneatline.so. Bytes that the kernel
   maps for other purposes (stacks of threads, files) are not counted. */
#include "fuzz.h"

#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdlib.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define IS_COUNTED 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define IS_COUNTED 0
#endif
#endif
#if !defined(IS_COUNTED) && defined(__GLIBC__)
#define IS_COUNTED 1
#elif !defined(IS_COUNTED)
#define IS_COUNTED 0
#endif

static atomic_llong in_use, most;
static _Atomic long long bound;
static uint64_t *too_many;

int memory_is_counted(void) { return IS_COUNTED; }

static long long base;

void memory_begin(size_t limit, uint64_t *over) {
  too_many = over;
  base = atomic_load_explicit(&in_use, memory_order_relaxed);
  atomic_store_explicit(&most, base, memory_order_relaxed);
  atomic_store_explicit(&bound, base + (long long)limit, memory_order_relaxed);
}

size_t memory_peak(void) {
  return (size_t)(atomic_load_explicit(&most, memory_order_relaxed) - base);
}

void memory_end(void) { atomic_store_explicit(&bound, 0, memory_order_relaxed); }

#if IS_COUNTED
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *block);

static void *count(void *block) {
  if (!block) return NULL;
  long long size = (long long)malloc_usable_size(block);
  long long now = atomic_fetch_add_explicit(&in_use, size, memory_order_relaxed) + size;
  /* Two threads may each store a peak of their own: the figure is for the report alone. */
  if (now > atomic_load_explicit(&most, memory_order_relaxed)) {
    atomic_store_explicit(&most, now, memory_order_relaxed);
    long long limit = atomic_load_explicit(&bound, memory_order_relaxed);
    if (limit && now > limit) {
      *too_many = (uint64_t)(now - base);
      abort();
    }
  }
  return block;
}

static void discount(void *block) {
  if (block)
    atomic_fetch_sub_explicit(&in_use, (long long)malloc_usable_size(block), memory_order_relaxed);
}

void *malloc(size_t size) { return count(__libc_malloc(size)); }
void *calloc(size_t number, size_t size) { return count(__libc_calloc(number, size)); }
void *memalign(size_t alignment, size_t size) { return count(__libc_memalign(alignment, size)); }
void *aligned_alloc(size_t alignment, size_t size) { return count(__libc_memalign(alignment, size)); }

void *realloc(void *block, size_t size) {
  size_t before = block ? malloc_usable_size(block) : 0;
  void *moved = __libc_realloc(block, size);
  if (moved || size == 0) atomic_fetch_sub_explicit(&in_use, (long long)before, memory_order_relaxed);
  return count(moved);
}

int posix_memalign(void **out, size_t alignment, size_t size) {
  if (alignment % sizeof(void *) || alignment & (alignment - 1) || !alignment) return EINVAL;
  void *block = count(__libc_memalign(alignment, size));
  if (!block) return ENOMEM;
  *out = block;
  return 0;
}

void free(void *block) {
  discount(block);
  __libc_free(block);
}
#endif
