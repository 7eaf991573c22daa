/* The work that calls fail in: each case does something of the header from beginning to end, and can be run
 * again after it failed. */
#ifndef FAULT_CASES_H
#define FAULT_CASES_H

#include <neatline.h>

#include <stdint.h>

typedef struct fault_case {
  const char *name;
  /* A file of the data, or what else the case is about; NULL where it needs none. */
  const char *argument;
  /* Reads what the case works with. No call fails meanwhile. NULL: nothing to do. */
  void (*prepare)(const char *argument);
  /* Does the work. A handle that a run left is used again by the next one. `digest` becomes a number that tells
   * results apart. */
  neat_status (*run)(uint64_t *digest);
} fault_case;

extern const fault_case render_cases[], reader_cases[], writer_cases[];

/* The folder of the data (../shared/data), and one for files that a case writes. */
extern const char *data_folder, *scratch_folder;

/* A path in one of these; static memory, of which 8 are valid at a time. */
const char *path_in(const char *folder, const char *name);

typedef struct file_bytes {
  uint8_t *data;
  size_t size;
} file_bytes;

/* The bytes of a file, which end with a NUL. Ends the process where it cannot be read. */
file_bytes read_file(const char *path);

/* Takes the bytes of a file in, without an allocation of their size. */
uint64_t digest_file(uint64_t digest, const char *path);
uint64_t digest_bytes(uint64_t digest, const void *data, size_t size);
/* Takes a buffer in and destroys it. */
uint64_t digest_buffer(uint64_t digest, neat_buffer *buffer);
uint64_t digest_image(uint64_t digest, const neat_image *image);

/* Returns from a case where a call fails. */
#define TRY(call)                                      \
  do {                                                 \
    neat_status tried = (call);                        \
    if (tried != NEAT_STATUS_OK) return tried;         \
  } while (0)

#endif
