/* Mutated input for every function of the header that reads bytes from outside.

     fuzz [--count N] [--seed N] [--only TARGET] [--corpus FOLDER]... [--findings FOLDER] [--slow N]
     fuzz --list
     fuzz --replay FILE [--only TARGET]
     fuzz --minimise FILE [--only TARGET]

   --count     executions of each fast target (20000); a slow target has a share of them
   --seed      where the random numbers begin (1); an execution depends on seed, target and its number alone
   --only      one target
   --corpus    files to mutate besides those of Tests/Fuzz/corpus; a file's extension says for which targets
   --findings  the folder that gets the inputs of findings (the working folder)
   --slow      multiplies the bounds of time, for builds with a sanitizer (1)
   --replay    runs a target over a file, or over each file of a folder, without mutation. Without --only the
               name of the file (crash-TARGET-N) or of its folder says which target
   --minimise  shortens the input of a finding; the result is in FILE.min

   A run may take 5 seconds of processor time, and 64 MiB (or the bound that its target states) and 100 bytes
   for each byte of its input. A run past a bound, or one that ends the process, is a finding. */
#define _GNU_SOURCE
#include "run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#ifndef FUZZ_CORPUS
#define FUZZ_CORPUS "corpus"
#endif

static const target *const GROUPS[] = {
    TILE_TARGETS,   GEOJSON_TARGETS, STYLE_TARGETS,   EXPRESSION_TARGETS, TEXT_TARGETS,
    IMAGE_TARGETS,  MAP_TARGETS,     CUSTOM_TARGETS,  OVERLAY_TARGETS,    NETWORK_TARGETS,
    TILER_TARGETS,  DATABASE_TARGETS, SHAPE_TARGETS};
enum { GROUP_COUNT = sizeof GROUPS / sizeof *GROUPS };

static const target *find(const char *name, size_t length) {
  for (size_t group = 0; group < GROUP_COUNT; group++) {
    for (const target *each = GROUPS[group]; each->name; each++) {
      if (strlen(each->name) == length && strncmp(each->name, name, length) == 0) return each;
    }
  }
  return NULL;
}

/* The target that a file is of: crash-TARGET-N, or a file in the folder TARGET, or that folder. */
static const target *target_of(const char *path) {
  const char *end = path + strlen(path), *name = end;
  while (name > path && name[-1] != '/') name--;
  if (strncmp(name, "crash-", 6) == 0) {
    const char *last = strrchr(name, '-');
    if (last > name + 6) return find(name + 6, (size_t)(last - name - 6));
  }
  const target *folder = find(name, (size_t)(end - name));
  if (folder || name == path) return folder;
  const char *parent = name - 1;
  while (parent > path && parent[-1] != '/') parent--;
  return find(parent, (size_t)(name - 1 - parent));
}

static int is_wanted(const char *name, size_t size) {
  if (size >= (ends_with(name, ".ttf") || ends_with(name, ".otf") ? FONT_LIMIT : FILE_LIMIT)) return 0;
  for (size_t group = 0; group < GROUP_COUNT; group++) {
    for (const target *each = GROUPS[group]; each->name; each++) {
      for (size_t end = 0; end < 4 && each->ends[end]; end++) {
        if (ends_with(name, each->ends[end])) return 1;
      }
    }
  }
  return 0;
}

static int run_targets(const plan *plan, const target *only) {
  uint64_t sum = 0;
  int findings = 0, ran = 0;
  size_t number = 0;
  for (size_t group = 0; group < GROUP_COUNT; group++) {
    for (const target *each = GROUPS[group]; each->name; each++, number++) {
      if (only && only != each) continue;
      uint64_t executions;
      ran++;
      findings += fuzz_target(plan, each, number, &executions);
      sum += executions;
    }
  }
  printf(
      "%llu executions over %d targets, %zu files of other corpora, %d findings%s\n", (unsigned long long)sum,
      ran, plan->corpus->count, findings,
      memory_is_counted() ? "" : " (memory is not counted in this build)");
  return findings != 0;
}

static int list(void) {
  for (size_t group = 0; group < GROUP_COUNT; group++) {
    for (const target *each = GROUPS[group]; each->name; each++)
      printf("%-14s one execution in %u\n", each->name, each->share);
  }
  return 0;
}

int main(int argc, char **argv) {
  static corpus others;
  plan plan = {
      .corpus = &others, .own = FUZZ_CORPUS, .findings = ".", .seed = 1, .count = 20000, .slow = 1};
  const char *only = NULL, *replayed = NULL, *minimised = NULL;
  if (argc == 2 && strcmp(argv[1], "--list") == 0) return list();
  for (int index = 1; index < argc; index += 2) {
    const char *option = argv[index], *value = index + 1 < argc ? argv[index + 1] : NULL;
    if (!value) return fprintf(stderr, "%s needs a value\n", option), 2;
    if (strcmp(option, "--count") == 0) plan.count = strtoull(value, NULL, 10);
    else if (strcmp(option, "--seed") == 0) plan.seed = strtoull(value, NULL, 10);
    else if (strcmp(option, "--slow") == 0) plan.slow = (unsigned)strtoul(value, NULL, 10);
    else if (strcmp(option, "--only") == 0) only = value;
    else if (strcmp(option, "--findings") == 0) plan.findings = value;
    else if (strcmp(option, "--corpus") == 0) read_folder(&others, value, is_wanted);
    else if (strcmp(option, "--replay") == 0) replayed = value;
    else if (strcmp(option, "--minimise") == 0) minimised = value;
    else return fprintf(stderr, "unknown option: %s\n", option), 2;
  }
  const char *file = replayed ? replayed : minimised;
  const target *chosen = only ? find(only, strlen(only)) : file ? target_of(file) : NULL;
  if (!chosen && (only || file)) return fprintf(stderr, "no target %s\n", only ? only : file), 2;
  if (plan.slow == 0) return fprintf(stderr, "--slow is 1 or more\n"), 2;
  plan.watch =
      mmap(NULL, sizeof *plan.watch, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (plan.watch == MAP_FAILED) return 2;
  if (replayed) return replay(&plan, chosen, replayed) != 0;
  if (minimised) return minimise(&plan, chosen, minimised) != 0;
  return run_targets(&plan, chosen);
}
