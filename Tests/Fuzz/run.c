/* Runs of targets in child processes. Parent and child share the memory with the input of the run under way,
   so that the parent has it when the child has died. */
#define _GNU_SOURCE
#include "run.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ATTEMPTS = 8, MINIMISING_RUNS = 20000 };

/* One run, with bounds. Both timers end the process by their signal. */
static void run_bounded(const plan *plan, const target *target, uint64_t attempt) {
  watch *watch = plan->watch;
  struct itimerval processor = {.it_value.tv_sec = PROCESSOR_SECONDS * plan->slow};
  random_state = state_of(watch->input, watch->size, attempt);
  watch->over = 0;
  setitimer(ITIMER_PROF, &processor, NULL);
  alarm(WALL_SECONDS * plan->slow);
  memory_begin((target->memory ? target->memory : (size_t)64 << 20) + 100 * watch->size, &watch->over);
  target->run(watch->input, watch->size);
  memory_end();
  if (memory_peak() > watch->peak) watch->peak = memory_peak();
}

static void take_input(watch *watch, const bytes *input) {
  watch->size = input->size < INPUT_LIMIT ? input->size : INPUT_LIMIT;
  memcpy(watch->input, input->data, watch->size);
}

static int is_any(const char *name, size_t size) { return (void)name, size <= INPUT_LIMIT; }

/* The target's own inputs as they are, each with several of the target's choices; then mutations. Own inputs
   make half of what is mutated: they are small, and a mutation hits bytes that matter. */
static void run_all(const plan *plan, const target *target, size_t number, uint64_t *executions) {
  static corpus own;
  char *folder = NULL;
  if (asprintf(&folder, "%s/%s", plan->own, target->name) > 0) read_folder(&own, folder, is_any);
  free(folder);
  bytes *pool = calloc(2 * CORPUS_LIMIT, sizeof *pool);
  size_t own_count = 0, pool_count;
  watch *watch = plan->watch;
  for (; own_count < own.count; own_count++) pool[own_count] = own.files[own_count].contents;
  pool_count = own_count;
  for (size_t file = 0; file < plan->corpus->count; file++) {
    for (size_t end = 0; end < 4 && target->ends[end]; end++) {
      if (ends_with(plan->corpus->files[file].name, target->ends[end]))
        pool[pool_count++] = plan->corpus->files[file].contents;
    }
  }
  for (size_t file = 0; file < own_count; file++) {
    for (uint64_t attempt = 0; attempt < ATTEMPTS; attempt++) {
      watch->execution = (*executions)++;
      take_input(watch, &pool[file]);
      run_bounded(plan, target, attempt);
    }
  }
  for (uint64_t execution = 0; execution < plan->count / target->share + 1; execution++) {
    random_state = plan->seed * 0x9E3779B97F4A7C15u + number * 0xD1B54A32D192ED03u
                   + execution * 0x8CB92BA72F3D8DD7u;
    next();
    watch->execution = (*executions)++;
    take_input(watch, &pool[below(2) ? below(own_count) : below(pool_count)]);
    size_t changes = 1 + below(below(4) ? 4 : 24);
    for (size_t change = 0; change < changes; change++)
      watch->size = mutate(watch->input, watch->size, &pool[below(pool_count)]);
    run_bounded(plan, target, 0);
  }
  free(pool);
}

/* Waits for a child; 0 where it left as it should, else the signal that ended it, or -1. */
static int outcome(pid_t child) {
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) < 0) return -1;
  remove_scratch(child);
  if (WIFSIGNALED(status)) return WTERMSIG(status);
  return WEXITSTATUS(status) ? -1 : 0;
}

static void say(char *out, size_t size, int outcome, const watch *watch) {
  if (outcome == SIGABRT && watch->over)
    snprintf(out, size, "takes %.1f MiB, past its bound of memory", (double)watch->over / 1048576);
  else if (outcome == SIGPROF || outcome == SIGALRM) snprintf(out, size, "past its bound of time");
  else snprintf(out, size, "%s", outcome > 0 ? strsignal(outcome) : "left early");
}

int fuzz_target(const plan *plan, const target *target, size_t number, uint64_t *executions) {
  struct timespec begin, end;
  char file[512], what[128];
  uint64_t *shared = &plan->watch->execution;
  plan->watch->peak = 0;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  fflush(stdout);
  int pipes[2];
  if (pipe(pipes)) return 1;
  pid_t child = fork();
  if (child == 0) {
    uint64_t count = 0;
    run_all(plan, target, number, &count);
    fflush(stdout);
    _exit(write(pipes[1], &count, sizeof count) != sizeof count);
  }
  close(pipes[1]);
  int failed = outcome(child);
  clock_gettime(CLOCK_MONOTONIC, &end);
  *executions = 0;
  if (!failed && read(pipes[0], executions, sizeof *executions) != sizeof *executions) failed = -1;
  close(pipes[0]);
  if (!failed) {
    printf(
        "%-14s %12llu executions, %7.1f s, peak %6.1f MiB\n", target->name,
        (unsigned long long)*executions,
        (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec),
        (double)plan->watch->peak / 1048576);
    return 0;
  }
  say(what, sizeof what, failed, plan->watch);
  snprintf(
      file, sizeof file, "%s/crash-%s-%llu", plan->findings, target->name, (unsigned long long)*shared);
  if (write_file(file, plan->watch->input, plan->watch->size)) printf("cannot write %s\n", file);
  printf(
      "%-14s FINDING at execution %llu of seed %llu: %s; the input is in %s\n", target->name,
      (unsigned long long)*shared, (unsigned long long)plan->seed, what, file);
  return 1;
}

/* Runs a target once for each of its choices, in a child. */
static int attempt(const plan *plan, const target *target, const bytes *input) {
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    for (uint64_t attempt = 0; attempt < ATTEMPTS; attempt++) {
      take_input(plan->watch, input);
      run_bounded(plan, target, attempt);
    }
    _exit(0);
  }
  return outcome(child);
}

int replay(const plan *plan, const target *target, const char *path) {
  static corpus files;
  struct stat info;
  int findings = 0;
  if (stat(path, &info)) return printf("cannot read %s\n", path), 1;
  files.count = 0;
  if (S_ISDIR(info.st_mode)) {
    read_folder(&files, path, is_any);
  } else {
    files.files[0].name = path;
    if (read_file(path, &files.files[0].contents)) return printf("cannot read %s\n", path), 1;
    files.count = 1;
  }
  for (size_t index = 0; index < files.count; index++) {
    char what[128] = "no finding";
    plan->watch->peak = 0;
    int failed = attempt(plan, target, &files.files[index].contents);
    if (failed) say(what, sizeof what, failed, plan->watch);
    printf(
        "%-14s %s: %s, peak %.1f MiB\n", target->name, files.files[index].name, what,
        (double)plan->watch->peak / 1048576);
    findings += failed != 0;
  }
  return findings;
}

int minimise(const plan *plan, const target *target, const char *path) {
  bytes input, candidate;
  char name[512], what[128];
  if (read_file(path, &input)) return printf("cannot read %s\n", path), 1;
  candidate.data = malloc(input.size + 1);
  int failing = attempt(plan, target, &input), runs = 0;
  if (!failing) return printf("%s: no finding, nothing to minimise\n", path), 0;
  say(what, sizeof what, failing, plan->watch);
  /* Pieces are removed while the target fails by the same signal: halves first, single bytes last. */
  for (size_t length = input.size / 2; length > 0; length /= 2) {
    for (size_t at = 0; at + length <= input.size && runs < MINIMISING_RUNS;) {
      candidate.size = input.size - length;
      memcpy(candidate.data, input.data, at);
      memcpy(candidate.data + at, input.data + at + length, input.size - at - length);
      runs++;
      if (attempt(plan, target, &candidate) == failing) {
        bytes shorter = candidate;
        candidate.data = input.data;
        input = shorter;
      } else {
        at += length;
      }
    }
  }
  snprintf(name, sizeof name, "%s.min", path);
  if (write_file(name, input.data, input.size)) printf("cannot write %s\n", name);
  printf("%s: %s; %zu bytes in %s after %d runs\n", path, what, input.size, name, runs);
  return 1;
}
