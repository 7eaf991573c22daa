/* Runs of targets in child processes, with a bound of memory and of time on each run. */
#ifndef NEATLINE_FUZZ_RUN_H
#define NEATLINE_FUZZ_RUN_H

#include "fuzz.h"

/* What the child does, for its parent to read after the child has died. */
typedef struct watch {
  uint64_t execution;
  /* Bytes past the bound of memory, 0 where the run kept it. */
  uint64_t over;
  /* The highest peak of all runs, and the largest bound that one of them had. */
  uint64_t peak;
  size_t size;
  uint8_t input[INPUT_LIMIT];
} watch;

typedef struct plan {
  const corpus *corpus;
  /* The folder with one folder for each target. */
  const char *own;
  /* Where inputs of findings go. */
  const char *findings;
  uint64_t seed, count;
  /* Multiplies the bounds of time. */
  unsigned slow;
  watch *watch;
} plan;

/* Each of these returns 0 where there is no finding. */
int fuzz_target(const plan *plan, const target *target, size_t number, uint64_t *executions);
/* Runs a target over one file, or over all files of a folder. */
int replay(const plan *plan, const target *target, const char *path);
/* Writes the smallest input that still makes the target fail as the file does to FILE.min. */
int minimise(const plan *plan, const target *target, const char *path);

#endif
