// Whether this process was forked since the library was loaded, and which thread the fork left to it. In C, since the
// library is to know of forks before any of its functions was called.
#ifndef NEATLINE_FORK_H
#define NEATLINE_FORK_H

#include <stdbool.h>

/// How many forks lie between the process that loaded the library and this one. Any thread.
long fork_generation(void);

/// Whether the calling thread is the one that the last of these forks left to this process.
bool fork_is_on_survivor(void);

/// Lets no fork happen until `fork_let_go`, by the same thread and soon: for work that holds locks of a library, which a
/// child that was forked meanwhile would find held by nobody. Any number of threads at a time, and again within. A fork
/// waits for 2 seconds at most. No lock may be waited for meanwhile that is held by a thread which comes here with it.
void fork_hold_back(void);
void fork_let_go(void);

/// Within long work, where no lock of a library is held: lets forks happen that wait.
void fork_give_way(void);

#endif
