// Memory that is held back for the case that the system refuses an allocation.
//
// Swift ends the process where an allocation fails. The reserve is address space of its own, mapped and never
// written to: it costs no pages, and counts wherever memory is refused at once (RLIMIT_AS, RLIMIT_DATA, strict
// overcommit). An allocation that fails gives pieces of the reserve back to the system and is tried again. The work
// goes on with memory that is there, in a state that is whole, and whoever ends it sees by `reserve_refusals` that it
// is to fail (NeatBase/MemoryReserve.swift).
#ifndef NEATLINE_RESERVE_H
#define NEATLINE_RESERVE_H

#include <stdbool.h>
#include <stddef.h>

enum { RESERVE_PIECE_BYTES = 1 << 20, RESERVE_PIECES = 16, RESERVE_BYTES = RESERVE_PIECE_BYTES * RESERVE_PIECES };

// Whether all pieces are held. Read and written as an atomic.
extern int reserve_state;

/// Whether the whole reserve is held. Any thread.
static inline bool reserve_is_whole(void) { return __atomic_load_n(&reserve_state, __ATOMIC_RELAXED) != 0; }

/// Takes the pieces that are missing. False where the system refuses one. Any thread.
bool reserve_fill(void);

/// Bytes that are held. Any thread.
long reserve_held(void);

/// How many allocations the system has refused that the reserve made possible. Any thread.
long reserve_refusals(void);

/// Gives pieces of the reserve back to the system for an allocation of such a size that a library was refused and will try
/// again. False where there is no piece left. Any thread.
bool reserve_give(size_t size);

/// `realloc` for which pieces of the reserve are given back where it fails. Ends the process where the whole reserve is
/// not enough.
void *reserve_realloc(void *block, size_t size) __attribute__((returns_nonnull));

#endif
