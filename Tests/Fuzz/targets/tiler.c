/* The tiler: GeoJSON and Arrow batches into archives, its options, and the files that it saves. */
#include "../fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char LAYERS[] = "[{\"name\":\"a\"},{\"name\":\"b\",\"filter\":[\"has\",\"n\"]}]";

static neat_tiler *make(const char *extra) {
  char options[512];
  neat_tiler *tiler = NULL;
  int length = snprintf(
      options, sizeof options, "{\"threads\":1,\"memory\":1048576,\"maxzoom\":2,\"folder\":\"%s\"%s}",
      scratch_folder(), extra);
  if (neat_tiler_create(LAYERS, sizeof LAYERS - 1, options, (size_t)length, &tiler)) abort();
  return tiler;
}

static const char *some_options(void) {
  static const char *const options[] = {
      "", ",\"drop\":\"densest\",\"maxTileBytes\":1024", ",\"coalesce\":\"smallest\",\"maxTileFeatures\":2",
      ",\"dropRate\":2,\"extent\":256,\"buffer\":0", ",\"lineMetrics\":true,\"generateId\":true",
      ",\"include\":[\"n\"],\"promoteId\":\"name\",\"tolerance\":0"};
  return options[below(6)];
}

/* Everything that is done with a tiler that has features. */
static void write_tiles(neat_tiler *tiler) {
  static const char options[] = "{\"overwrite\":true,\"resume\":false}";
  char path[128];
  neat_buffer *out = NULL;
  drop_if(neat_tiler_ranges(tiler, 3, &out), &out);
  drop_if(neat_tiler_describe(tiler, NULL, 0, &out), &out);
  if (below(4) == 0) drop_if(neat_tiler_thresholds(tiler, 0, UINT64_MAX, &out), &out);
  int length = snprintf(
      path, sizeof path, "%s/tiles.%s", scratch_folder(), below(4) ? "pmtiles" : "mbtiles");
  drop_if(
      neat_tiler_write(
          tiler, path, (size_t)length, 0, UINT64_MAX, options, sizeof options - 1, NULL, NULL, &out),
      &out);
  empty_folder(scratch_folder());
}

static void tiler(const uint8_t *data, size_t size) {
  neat_tiler *made = make(some_options());
  const char *text = (const char *)data, *layer = below(2) ? "a" : "b";
  size_t cut = below(size + 1);
  if (neat_tiler_add_geojson(made, layer, 1, 0, text, cut, 0) == NEAT_STATUS_OK
      && neat_tiler_add_geojson(made, layer, 1, 0, text + cut, size - cut, 1) == NEAT_STATUS_OK)
    write_tiles(made);
  neat_tiler_destroy(made);
}

/* Layers or options of a tiler. */
static void tiler_options(const uint8_t *data, size_t size) {
  static const char feature[] = "{\"type\":\"Feature\",\"properties\":{\"n\":1,\"class\":\"x\"},\"geometry\":"
                                "{\"type\":\"Point\",\"coordinates\":[1,2]}}";
  static const char options[] = "{\"threads\":1,\"memory\":1048576,\"maxzoom\":2}";
  const char *text = (const char *)data;
  neat_tiler *made = NULL;
  int are_layers = size && *text == '[';
  if (neat_tiler_create(
          are_layers ? text : LAYERS, are_layers ? size : sizeof LAYERS - 1, are_layers ? options : text,
          are_layers ? sizeof options - 1 : size, &made)
      != NEAT_STATUS_OK)
    return;
  neat_buffer *out = NULL;
  either(neat_tiler_add_geojson(made, "a", 1, 0, feature, sizeof feature - 1, 1));
  drop_if(neat_tiler_ranges(made, 3, &out), &out);
  drop_if(neat_tiler_describe(made, text, size, &out), &out);
  neat_tiler_destroy(made);
}

/* A file that a tiler of another process saved. */
static void tiler_load(const uint8_t *data, size_t size) {
  char path[128];
  neat_tiler *made = make("");
  int length = snprintf(path, sizeof path, "%s/saved", scratch_folder());
  if (write_file(path, data, size)) abort();
  if (neat_tiler_load(made, path, (size_t)length) == NEAT_STATUS_OK) write_tiles(made);
  neat_tiler_destroy(made);
  empty_folder(scratch_folder());
}

/* The offsets of a column of `count` values that cuts `size` bytes somewhere. */
static void cut_somewhere(int32_t *offsets, size_t count, size_t size) {
  offsets[0] = 0;
  for (size_t row = 1; row <= count; row++) {
    size_t left = size - (size_t)offsets[row - 1], length = below(2 * left / (count - row + 1) + 1);
    offsets[row] = offsets[row - 1] + (int32_t)(length < left ? length : left);
  }
}

static void keep_schema(struct ArrowSchema *schema) { schema->release = NULL; }
static void keep_array(struct ArrowArray *array) { array->release = NULL; }

/* A batch as readers of GeoParquet give it: WKB, and a column of text, of which only values are foreign. */
static void arrow(const uint8_t *data, size_t size) {
  enum { ROWS = 4 };
  static const char *const options[] = {"", "{\"id\":\"n\"}", "{\"geometry\":\"g\"}"};
  int32_t offsets[ROWS + 1], texts[ROWS + 1];
  /* Copies of their exact sizes, so that a sanitizer notices a read past them. */
  uint8_t *wkb = malloc(size + !size);
  size_t rows = below(4) ? 1 : ROWS;
  if (size) memcpy(wkb, data, size);
  if (rows == 1) offsets[0] = 0, offsets[1] = (int32_t)size;
  else cut_somewhere(offsets, rows, size);
  cut_somewhere(texts, rows, size);
  const void *geometry_buffers[] = {NULL, offsets, wkb}, *text_buffers[] = {NULL, texts, wkb},
             *no_buffers[] = {NULL};
  struct ArrowSchema fields[2] = {
      {.format = "z", .name = "g", .flags = ARROW_FLAG_NULLABLE, .release = keep_schema},
      {.format = below(2) ? "u" : "z", .name = "n", .flags = ARROW_FLAG_NULLABLE, .release = keep_schema}};
  struct ArrowSchema *field_list[] = {&fields[0], &fields[1]};
  struct ArrowSchema schema = {
      .format = "+s", .name = "", .n_children = 2, .children = field_list, .release = keep_schema};
  struct ArrowArray columns[2] = {
      {.length = (int64_t)rows, .n_buffers = 3, .buffers = geometry_buffers, .release = keep_array},
      {.length = (int64_t)rows, .n_buffers = 3, .buffers = text_buffers, .release = keep_array}};
  struct ArrowArray *column_list[] = {&columns[0], &columns[1]};
  struct ArrowArray batch = {
      .length = (int64_t)rows,
      .n_buffers = 1,
      .n_children = 2,
      .buffers = no_buffers,
      .children = column_list,
      .release = keep_array};
  const char *option = options[below(3)];
  neat_buffer *out = NULL;
  neat_tiler *made = make(some_options());
  neat_status status =
      neat_tiler_add_arrow(made, "a", 1, 0, &schema, &batch, option, strlen(option), &out);
  if (status == NEAT_STATUS_OK) {
    neat_buffer_destroy(out);
    if (below(8) == 0) write_tiles(made);
  }
  neat_tiler_destroy(made);
  free(wkb);
}

const target TILER_TARGETS[] = {
    {"tiler", tiler, {".geojson"}, 100, 0},
    {"tiler-options", tiler_options, {NULL}, 20, 0},
    {"tiler-load", tiler_load, {NULL}, 100, 0},
    {"arrow", arrow, {".wkb"}, 20, 0},
    {0}};
