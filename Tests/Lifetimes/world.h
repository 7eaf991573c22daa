/* What the programs of this folder share: a small world in files and behind a server, a style over both, and
 * checks. */
#ifndef WORLD_H
#define WORLD_H

#include <neatline.h>

#include <stdio.h>
#include <stdlib.h>

/* Ends the program with the words of the last error. */
#define CHECK(condition)                                                                         \
  do {                                                                                           \
    if (!(condition)) {                                                                          \
      fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #condition, neat_last_error());     \
      exit(1);                                                                                   \
    }                                                                                            \
  } while (0)
#define OK(call) CHECK((call) == NEAT_STATUS_OK)

/* A thousand points and squares as GeoJSON. */
extern char world_geojson[];

/* Makes a folder for files that is removed at the end of this process, and a server in a process of its own,
 * which ends with this one. */
void world_begin(void);

/* A style: squares out of an MBTiles archive, a GeoJSON document that the server answers, labels of which
 * each has a curve by zoom. */
const char *world_style(void);
/* The same without a server. */
const char *world_style_of_files(void);

/* A file of the folder; static memory, valid until the next call. */
const char *world_path(const char *name);

/* The tile 0/0/0 of the points, as a vector tile. */
neat_buffer *world_tile(void);

neat_renderer *world_renderer(const char *style);
/* Draws the world, 128 x 128 pixels. */
neat_image *world_draw(neat_renderer *renderer);
/* A number that tells pictures apart. */
unsigned long world_hash(const neat_image *image);

#endif
