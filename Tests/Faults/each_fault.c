/* Fails the calls of the C library that a piece of work makes, one after the other, and says what comes of it.
 *
 *   each_fault --data FOLDER [--kind KIND] [--min BYTES] [--sample N | --all] [--only TEXT] [--at N] [--trace]
 *
 *   --data     the folder of styles, tiles, fonts and images (../shared/data)
 *   --kind     which calls fail, as in NEATLINE_FAULT (malloc); or space: the address space is limited to what there
 *              is and as many MiB as the number of the run says, so that all kinds of allocations fail, of all sizes
 *   --min      allocations of fewer bytes do not fail (65536)
 *   --sample   so many calls of each case fail, spread over all (6); --all: each, also by NEATLINE_FAULTS=all
 *   --only     cases whose names have the text
 *   --at       only the call of this number fails
 *   --trace    what ends the process is run again with a backtrace of the call that failed
 *
 * Each run is a child of its own. It does the work with one call failing, then again with none. The first has to
 * end with the error of the kind, or with the right result; the second with the right result. What ends the
 * process, another error and a wrong result are findings. Prints a line a case; exits with 1 where there are any. */
#define _GNU_SOURCE
#include "cases.h"
#include "faults.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
  PATIENCE_SECONDS = 120,
  /* MiB that are left to work in, at most. */
  SPACES = 64
};

const char *data_folder, *scratch_folder;

static const char *kind = "malloc", *only;
static size_t least = 65536;
static long sample = 6, only_at;
static bool traces;

/* ---------------------------------------------------------------- what cases are made with */

const char *path_in(const char *folder, const char *name) {
  static char paths[8][512];
  static unsigned next;
  char *path = paths[next++ % 8];
  snprintf(path, sizeof paths[0], "%s/%s", folder, name);
  return path;
}

file_bytes read_file(const char *path) {
  file_bytes result = {NULL, 0};
  FILE *file = fopen(path, "rb");
  if (file == NULL || fseek(file, 0, SEEK_END) != 0) {
    perror(path);
    _exit(98);
  }
  result.size = (size_t)ftell(file);
  rewind(file);
  result.data = malloc(result.size + 1);
  if (result.data == NULL || fread(result.data, 1, result.size, file) != result.size) {
    perror(path);
    _exit(98);
  }
  result.data[result.size] = 0;
  fclose(file);
  return result;
}

uint64_t digest_bytes(uint64_t digest, const void *data, size_t size) {
  const uint8_t *bytes = data;
  for (size_t n = 0; n < size; n++) digest = (digest ^ bytes[n]) * 1099511628211u;
  return digest;
}

uint64_t digest_file(uint64_t digest, const char *path) {
  char piece[4096];
  FILE *file = fopen(path, "rb");
  if (file == NULL) {
    perror(path);
    _exit(98);
  }
  for (size_t size; (size = fread(piece, 1, sizeof piece, file)) > 0;) digest = digest_bytes(digest, piece, size);
  fclose(file);
  return digest;
}

uint64_t digest_buffer(uint64_t digest, neat_buffer *buffer) {
  digest = digest_bytes(digest, neat_buffer_data(buffer), neat_buffer_size(buffer));
  neat_buffer_destroy(buffer);
  return digest;
}

uint64_t digest_image(uint64_t digest, const neat_image *image) {
  size_t size = (size_t)neat_image_width_px(image) * neat_image_height_px(image) * 4;
  return digest_bytes(digest, neat_image_pixels(image), size);
}

/* ---------------------------------------------------------------- one run */

typedef struct outcome {
  long calls;
  neat_status first, second;
  uint64_t first_digest, second_digest;
  char words[400];
} outcome;

/* Addresses that the process has, in bytes. */
static size_t used_space(void) {
  unsigned long pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (file == NULL || fscanf(file, "%lu", &pages) != 1) _exit(96);
  fclose(file);
  return pages * (size_t)sysconf(_SC_PAGESIZE);
}

static bool is_space(void) { return strcmp(kind, "space") == 0; }

static void arm(long at) {
  if (!is_space()) return neatline_fault_arm(kind, at, 1, least);
  struct rlimit limit = {used_space() + ((size_t)at << 20), RLIM_INFINITY};
  if (at > 0 && setrlimit(RLIMIT_AS, &limit) != 0) _exit(96);
}

/* Returns how many calls there were. */
static long disarm(void) {
  struct rlimit limit = {RLIM_INFINITY, RLIM_INFINITY};
  if (!is_space()) return neatline_fault_disarm();
  if (setrlimit(RLIMIT_AS, &limit) != 0) _exit(96);
  return SPACES;
}

static void work(const fault_case *each, long at, outcome *out) {
  if (each->prepare != NULL) each->prepare(each->argument);
  arm(at);
  out->first = each->run(&out->first_digest);
  out->calls = disarm();
  if (out->first != NEAT_STATUS_OK) snprintf(out->words, sizeof out->words, "%s", neat_last_error());
  if (at == 0) return;
  out->second = each->run(&out->second_digest);
  if (out->second != NEAT_STATUS_OK) snprintf(out->words, sizeof out->words, "%s", neat_last_error());
}

static char *folder_of_run(void) {
  static char name[] = "/tmp/neatline-faults-XXXXXX";
  strcpy(name + sizeof name - 7, "XXXXXX");
  if (mkdtemp(name) == NULL) {
    perror(name);
    exit(2);
  }
  return name;
}

static void remove_folder(const char *folder) {
  DIR *entries = opendir(folder);
  if (entries == NULL) return;
  for (struct dirent *entry; (entry = readdir(entries)) != NULL;)
    if (entry->d_name[0] != '.') unlink(path_in(folder, entry->d_name));
  closedir(entries);
  rmdir(folder);
}

/* Does the work in a child. Returns its state as `waitpid` tells it. */
static int in_child(const fault_case *each, long at, outcome *out) {
  int ends[2];
  memset(out, 0, sizeof *out);
  scratch_folder = folder_of_run();
  if (pipe(ends) != 0) {
    perror("pipe");
    exit(2);
  }
  fflush(NULL);
  pid_t child = fork();
  if (child < 0) {
    perror("fork");
    exit(2);
  }
  if (child == 0) {
    struct rlimit cores = {0, 0};
    setrlimit(RLIMIT_CORE, &cores);
    alarm(PATIENCE_SECONDS);
    work(each, at, out);
    _exit(write(ends[1], out, sizeof *out) == sizeof *out ? 0 : 97);
  }
  close(ends[1]);
  int state = 0;
  ssize_t size = read(ends[0], out, sizeof *out);
  close(ends[0]);
  waitpid(child, &state, 0);
  if (state == 0 && size != sizeof *out) state = 97 << 8;
  remove_folder(scratch_folder);
  return state;
}

/* ---------------------------------------------------------------- all runs of a case */

/* Whether an error is what the failing call may lead to. */
static bool is_fitting(neat_status status) {
  return (strcmp(kind, "malloc") != 0 && !is_space()) || status == NEAT_STATUS_OUT_OF_MEMORY;
}

typedef struct tally {
  long runs, ended, refused, done, other, wrong, after;
} tally;

static void look(const fault_case *each, long at, const outcome *reference, tally *sum) {
  outcome out;
  int state = in_child(each, at, &out);
  sum->runs += 1;
  if (state != 0) {
    sum->ended += 1;
    fprintf(stderr, "%s, call %ld: ended with %#x\n", each->name, at, (unsigned)state);
    if (traces) {
      neatline_fault_trace(true);
      in_child(each, at, &out);
      neatline_fault_trace(false);
    }
    return;
  }
  if (out.first == NEAT_STATUS_OK) {
    bool same = out.first_digest == reference->first_digest;
    *(same ? &sum->done : &sum->wrong) += 1;
    if (!same) fprintf(stderr, "%s, call %ld: another result, and no error\n", each->name, at);
  } else if (is_fitting(out.first)) {
    sum->refused += 1;
  } else {
    sum->other += 1;
    fprintf(
        stderr, "%s, call %ld: %s: %s\n", each->name, at, neat_status_name(out.first), out.words);
  }
  if (out.second != NEAT_STATUS_OK || out.second_digest != reference->first_digest) {
    sum->after += 1;
    fprintf(
        stderr, "%s, call %ld: afterwards: %s: %s\n", each->name, at,
        out.second == NEAT_STATUS_OK ? "another result" : neat_status_name(out.second), out.words);
  }
}

static long run_case(const fault_case *each) {
  outcome reference;
  tally sum = {0};
  int state = in_child(each, 0, &reference);
  if (state != 0 || reference.first != NEAT_STATUS_OK) {
    fprintf(
        stderr, "%s: does not work without a fault: %#x %s: %s\n", each->name, (unsigned)state,
        neat_status_name(reference.first), reference.words);
    return 1;
  }
  long count = reference.calls;
  if (only_at > 0) {
    look(each, only_at, &reference, &sum);
  } else if (sample == 0 || sample >= count) {
    for (long at = 1; at <= count; at++) look(each, at, &reference, &sum);
  } else {
    for (long n = 0; n < sample; n++) look(each, 1 + n * (count - 1) / (sample > 1 ? sample - 1 : 1), &reference, &sum);
  }
  printf(
      "%-44s %6ld calls %5ld failed: %4ld ended, %4ld refused, %4ld done, %3ld other, %3ld wrong, %3ld after\n",
      each->name, count, sum.runs, sum.ended, sum.refused, sum.done, sum.other, sum.wrong, sum.after);
  fflush(stdout);
  return sum.ended + sum.other + sum.wrong + sum.after;
}

int main(int count, char **arguments) {
  const char *every = getenv("NEATLINE_FAULTS");
  if (every != NULL && strcmp(every, "all") == 0) sample = 0;
  for (int n = 1; n < count; n++) {
    const char *name = arguments[n], *value = n + 1 < count ? arguments[n + 1] : "";
    if (strcmp(name, "--all") == 0) sample = 0;
    else if (strcmp(name, "--trace") == 0) traces = true;
    else {
      if (strcmp(name, "--data") == 0) data_folder = value;
      else if (strcmp(name, "--kind") == 0) kind = value;
      else if (strcmp(name, "--min") == 0) least = (size_t)atol(value);
      else if (strcmp(name, "--sample") == 0) sample = sample == 0 ? 0 : atol(value);
      else if (strcmp(name, "--only") == 0) only = value;
      else if (strcmp(name, "--at") == 0) only_at = atol(value);
      else {
        fprintf(stderr, "each_fault: %s is not an option\n", name);
        return 2;
      }
      n += 1;
    }
  }
  const fault_case *const groups[] = {render_cases, reader_cases, writer_cases};
  long findings = 0;
  for (size_t group = 0; group < sizeof groups / sizeof *groups; group++)
    for (const fault_case *each = groups[group]; each->name != NULL; each++) {
      if (only != NULL && strstr(each->name, only) == NULL) continue;
      if (each->argument != NULL && data_folder == NULL) continue;
      findings += run_case(each);
    }
  return findings == 0 ? 0 : 1;
}
