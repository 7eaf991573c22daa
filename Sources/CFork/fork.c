#include "fork.h"

#include <pthread.h>

// Written by the only thread of a child, before anything else of it runs.
static long generation;
static pthread_t survivor;

static pthread_mutex_t work = PTHREAD_MUTEX_INITIALIZER;

static void begin_fork(void) { pthread_mutex_lock(&work); }
static void end_fork(void) { pthread_mutex_unlock(&work); }

static void begin_child(void) {
  generation += 1;
  survivor = pthread_self();
  pthread_mutex_init(&work, NULL);
}

__attribute__((constructor)) static void watch(void) { pthread_atfork(begin_fork, end_fork, begin_child); }

void fork_hold_back(void) { pthread_mutex_lock(&work); }

void fork_let_go(void) { pthread_mutex_unlock(&work); }

long fork_generation(void) { return generation; }

bool fork_is_on_survivor(void) { return generation > 0 && pthread_equal(survivor, pthread_self()); }
