/* What the parts of the fuzzer share: random numbers, the mutator, the corpus, targets and bounds. */
#ifndef NEATLINE_FUZZ_H
#define NEATLINE_FUZZ_H

#include <neatline.h>

#include <stddef.h>
#include <stdint.h>

enum {
  /* The longest input that mutation makes. */
  INPUT_LIMIT = 1 << 21,
  /* Files of the corpus are small, so that a mutation hits bytes that matter. Fonts are larger. */
  FILE_LIMIT = 1 << 15,
  FONT_LIMIT = 1 << 20,
  CORPUS_LIMIT = 4096,
  /* One run takes no more of this. A sanitizer's build takes longer: --slow multiplies. */
  PROCESSOR_SECONDS = 5,
  WALL_SECONDS = 60
};

typedef struct bytes {
  uint8_t *data;
  size_t size;
} bytes;

/* ---------------------------------------------------------------- mutate.c */

/* The state of the random numbers. run.c sets it before each mutation, and from the bytes of the input before
   each run of a target, so that an input alone repeats what the target chose. */
extern uint64_t random_state;
uint64_t next(void);
/* A number from 0 to count - 1; 0 where count is 0. */
size_t below(size_t count);
/* A state that depends on the input and on `attempt` alone. */
uint64_t state_of(const uint8_t *data, size_t size, uint64_t attempt);
/* Makes one change in a block of INPUT_LIMIT bytes; returns the new size. */
size_t mutate(uint8_t *data, size_t size, const bytes *other);

/* ---------------------------------------------------------------- corpus.c */

typedef struct corpus_file {
  bytes contents;
  const char *name;
} corpus_file;

/* Files to mutate, in the order of their names. */
typedef struct corpus {
  corpus_file files[CORPUS_LIMIT];
  size_t count;
} corpus;

int ends_with(const char *text, const char *end);
/* Adds the files below a folder that `wanted` accepts by name and size; hidden files are skipped. */
void read_folder(corpus *corpus, const char *path, int (*wanted)(const char *name, size_t size));
/* Reads a whole file; 0 on success. */
int read_file(const char *path, bytes *out);
/* Writes a whole file; 0 on success. */
int write_file(const char *path, const uint8_t *data, size_t size);
/* Empties a folder that has no folders. */
void empty_folder(const char *path);

/* ---------------------------------------------------------------- memory.c */

/* Whether this build counts the bytes of malloc. A build with a sanitizer has an allocator of its own. */
int memory_is_counted(void);
/* Counts from here. When more than `limit` bytes are in use beyond what is in use now, *over becomes the
   number of bytes and the process aborts. */
void memory_begin(size_t limit, uint64_t *over);
/* The most bytes that were in use since memory_begin. */
size_t memory_peak(void);
void memory_end(void);

/* ---------------------------------------------------------------- targets */

typedef struct target {
  /* Also the folder of the corpus that is this target's own. */
  const char *name;
  void (*run)(const uint8_t *data, size_t size);
  /* File extensions of the other corpora. */
  const char *ends[4];
  /* The target has one of so many executions of --count: slow targets have few. */
  unsigned share;
  /* Bytes in use that one run may add besides 100 for each byte of its input; 0: 64 MiB. */
  size_t memory;
} target;

/* Each list ends with a target without a name. */
extern const target CUSTOM_TARGETS[], DATABASE_TARGETS[], EXPRESSION_TARGETS[], GEOJSON_TARGETS[],
    IMAGE_TARGETS[], MAP_TARGETS[], NETWORK_TARGETS[], OVERLAY_TARGETS[], SHAPE_TARGETS[], STYLE_TARGETS[],
    TEXT_TARGETS[], TILE_TARGETS[], TILER_TARGETS[];

/* ---------------------------------------------------------------- helpers of targets */

/* A style that is small and has a layer of most kinds. */
extern const char STYLE[];
extern const size_t STYLE_SIZE;

/* A mutated input may succeed or fail: the status does not matter. */
static inline void either(neat_status status) { (void)status; }

/* Releases what a call made, where it succeeded. */
static inline void drop_if(neat_status status, neat_buffer **made) {
  if (status == NEAT_STATUS_OK) neat_buffer_destroy(*made);
}

/* A map of 64 × 64 pixels with an empty style, and its loop. Both stay to the end of the process. */
neat_map *make_map(neat_loop **out_loop);
/* A folder of this process for files of targets. It is removed when the process ends. */
const char *scratch_folder(void);
/* Removes the scratch folder of a child that has ended. */
void remove_scratch(int process);

#endif
