#define _GNU_SOURCE
#include "reserve.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int reserve_state;

// Each is the address of a piece or NULL, and changes hands by an exchange: no lock, which a fork could leave taken.
static void *pieces[RESERVE_PIECES];
static long refusals;

bool reserve_fill(void) {
  for (int n = 0; n < RESERVE_PIECES; n++) {
    if (__atomic_load_n(&pieces[n], __ATOMIC_RELAXED) != NULL) continue;
    void *piece =
        mmap(NULL, RESERVE_PIECE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (piece == MAP_FAILED) return false;
    void *expected = NULL;
    if (!__atomic_compare_exchange_n(
            &pieces[n], &expected, piece, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
      munmap(piece, RESERVE_PIECE_BYTES);
  }
  __atomic_store_n(&reserve_state, 1, __ATOMIC_RELAXED);
  return true;
}

long reserve_held(void) {
  long bytes = 0;
  for (int n = 0; n < RESERVE_PIECES; n++)
    if (__atomic_load_n(&pieces[n], __ATOMIC_RELAXED) != NULL) bytes += RESERVE_PIECE_BYTES;
  return bytes;
}

long reserve_refusals(void) { return __atomic_load_n(&refusals, __ATOMIC_ACQUIRE); }

// Gives so many bytes back, or what is left of them. False where there was nothing.
static bool release(size_t bytes) {
  bool any = false;
  __atomic_store_n(&reserve_state, 0, __ATOMIC_RELAXED);
  for (int n = 0; n < RESERVE_PIECES; n++) {
    void *piece = __atomic_exchange_n(&pieces[n], NULL, __ATOMIC_ACQ_REL);
    if (piece == NULL) continue;
    // unchecked: what stays mapped is lost to this process, and the allocation is tried again all the same.
    munmap(piece, RESERVE_PIECE_BYTES);
    any = true;
    if (bytes <= RESERVE_PIECE_BYTES) break;
    bytes -= RESERVE_PIECE_BYTES;
  }
  return any;
}

// The C library's own bookkeeping takes a page or two on top.
static size_t room_for(size_t size) { return size < RESERVE_BYTES ? size + RESERVE_PIECE_BYTES / 4 : RESERVE_BYTES; }

bool reserve_give(size_t size) {
  __atomic_add_fetch(&refusals, 1, __ATOMIC_RELEASE);
  return release(room_for(size));
}

// Without an allocation.
static _Noreturn void end_process(size_t size) {
  char text[160];
  int count = snprintf(
      text, sizeof text, "neatline: out of memory: %zu bytes were refused, and the reserve of %d is used up\n",
      size, (int)RESERVE_BYTES);
  if (write(STDERR_FILENO, text, (size_t)count) < 0) abort();
  abort();
}

// Tries once more and again, with ever less in reserve.
static __attribute__((noinline, cold)) void *retry(void *block, size_t size, size_t alignment) {
  size_t bytes = room_for(size);
  bool is_last = false;
  __atomic_add_fetch(&refusals, 1, __ATOMIC_RELEASE);
  for (;;) {
    if (!release(bytes)) is_last = true;
    void *result = NULL;
    if (alignment == 0)
      result = realloc(block, size);
    else if (posix_memalign(&result, alignment, size) != 0)
      result = NULL;
    if (result != NULL) return result;
    if (is_last) end_process(size);
    bytes = RESERVE_PIECE_BYTES;
  }
}

void *reserve_realloc(void *block, size_t size) {
  void *result = realloc(block, size);
  if (__builtin_expect(result == NULL, 0) && size > 0) return retry(block, size, 0);
  return result;
}

// Stands for the Swift runtime's function of this name where the runtime is linked into one file with this library
// (--wrap=swift_slowAlloc in CMakeLists.txt): it makes all objects, arrays, strings and dictionaries, and ends the process
// where `malloc` fails. `mask` is the alignment less 1; all ones: any type's.
void *__wrap_swift_slowAlloc(size_t size, size_t mask);

void *__wrap_swift_slowAlloc(size_t size, size_t mask) {
  // `malloc` aligns to what any type of C needs, and `free` takes what either gave.
  if (mask < _Alignof(max_align_t) || mask == ~(size_t)0) {
    void *result = malloc(size);
    return __builtin_expect(result == NULL, 0) ? retry(NULL, size > 0 ? size : 1, 0) : result;
  }
  void *result = NULL;
  return posix_memalign(&result, mask + 1, size) == 0 ? result : retry(NULL, size, mask + 1);
}
