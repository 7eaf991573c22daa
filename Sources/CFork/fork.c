#include "fork.h"

#include <assert.h>
#include <pthread.h>
#include <time.h>

// Seconds that a fork waits at most.
enum { PATIENCE = 2 };

// Written by the only thread of a child, before anything else of it runs.
static long generation;
// Of a thread: another one may come to have the number of one that ended.
static _Thread_local bool is_survivor;

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
// Told when a thread lets go, and when a fork is over.
static pthread_cond_t change = PTHREAD_COND_INITIALIZER;
// Threads that hold forks back, and forks that wait for them.
static long holders, forks;
// How often the calling thread does.
static _Thread_local long depth;

// Calls of locks and conditions fail only for those that were not made, or that another thread holds.
// unchecked: debug builds end the process there.
#define DONE(call) do { int result = (call); assert(result == 0); (void)result; } while (0)

// The gate stays closed through the fork.
static void begin_fork(void) {
  struct timespec end;
  clock_gettime(CLOCK_REALTIME, &end);
  end.tv_sec += PATIENCE;
  DONE(pthread_mutex_lock(&gate));
  forks += 1;
  // A thread does not wait for itself.
  while (holders > (depth > 0)) {
    if (pthread_cond_timedwait(&change, &gate, &end) != 0) break;
  }
  forks -= 1;
}

static void end_fork(void) {
  DONE(pthread_cond_broadcast(&change));
  DONE(pthread_mutex_unlock(&gate));
}

static void begin_child(void) {
  generation += 1;
  is_survivor = true;
  DONE(pthread_mutex_init(&gate, NULL));
  DONE(pthread_cond_init(&change, NULL));
  holders = depth > 0;
  forks = 0;
}

__attribute__((constructor)) static void watch(void) {
  // unchecked: it lacks memory only where the program could not be loaded either.
  pthread_atfork(begin_fork, end_fork, begin_child);
}

void fork_hold_back(void) {
  if (depth++ > 0) return;
  DONE(pthread_mutex_lock(&gate));
  while (forks > 0) DONE(pthread_cond_wait(&change, &gate));
  holders += 1;
  DONE(pthread_mutex_unlock(&gate));
}

void fork_let_go(void) {
  if (--depth > 0) return;
  DONE(pthread_mutex_lock(&gate));
  holders -= 1;
  if (forks > 0) DONE(pthread_cond_broadcast(&change));
  DONE(pthread_mutex_unlock(&gate));
}

void fork_give_way(void) {
  if (depth != 1) return;
  fork_let_go();
  fork_hold_back();
}

long fork_generation(void) { return generation; }

bool fork_is_on_survivor(void) { return is_survivor; }
