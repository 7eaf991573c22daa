#include "fork.h"

#include <pthread.h>

// Written by the only thread of a child, before anything else of it runs.
static long generation;
// Of a thread: another one may come to have the number of one that ended.
static _Thread_local bool is_survivor;

static pthread_mutex_t work = PTHREAD_MUTEX_INITIALIZER;

static void begin_fork(void) { pthread_mutex_lock(&work); }
static void end_fork(void) { pthread_mutex_unlock(&work); }

static void begin_child(void) {
  generation += 1;
  is_survivor = true;
  pthread_mutex_init(&work, NULL);
}

__attribute__((constructor)) static void watch(void) { pthread_atfork(begin_fork, end_fork, begin_child); }

void fork_hold_back(void) { pthread_mutex_lock(&work); }

void fork_let_go(void) { pthread_mutex_unlock(&work); }

long fork_generation(void) { return generation; }

bool fork_is_on_survivor(void) { return is_survivor; }
