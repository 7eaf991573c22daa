#include "fork.h"

#include <pthread.h>

// Written by the only thread of a child, before anything else of it runs.
static long generation;
static pthread_t survivor;

static void begin_child(void) {
  generation += 1;
  survivor = pthread_self();
}

__attribute__((constructor)) static void watch(void) { pthread_atfork(NULL, NULL, begin_child); }

long fork_generation(void) { return generation; }

bool fork_is_on_survivor(void) { return generation > 0 && pthread_equal(survivor, pthread_self()); }
