/* Cuts a tile out of GeoJSON, encodes and decodes it as a vector tile, and runs an expression and a filter
 * over it: tile FILE.geojson */
#include <neatline.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *read_file(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  char *bytes = NULL;
  if (file != NULL && fseek(file, 0, SEEK_END) == 0) {
    long length = ftell(file);
    rewind(file);
    bytes = length < 0 ? NULL : malloc((size_t)length + 1);
    *size = bytes == NULL ? 0 : fread(bytes, 1, (size_t)length, file);
  }
  if (file == NULL || bytes == NULL) perror(path);
  if (file != NULL) fclose(file);
  return bytes;
}

#define TRY(call)                                                                           \
  do {                                                                                      \
    neat_status status = (call);                                                            \
    if (status != NEAT_STATUS_OK) {                                                         \
      fprintf(stderr, #call ": %s: %s\n", neat_status_name(status), neat_last_error());     \
      exit(1);                                                                              \
    }                                                                                       \
  } while (0)

/* One tile's features, what they are and how many points they have. */
static void print_layer(const neat_tile *tile, size_t index) {
  neat_tile_layer layer = {.struct_size = sizeof layer};
  TRY(neat_tile_layer_at(tile, index, &layer));
  printf(
      "layer %.*s: %zu features, %zu points, extent %u\n", (int)layer.name_size, layer.name,
      layer.feature_count, layer.point_count, layer.extent);
  for (size_t key = 0; key < layer.key_count; key++) {
    const char *text = NULL;
    size_t size = 0;
    TRY(neat_tile_key_at(tile, index, key, &text, &size));
    printf("  key %.*s\n", (int)size, text);
  }
}

/* The largest value of an expression among the features that a filter lets through. */
static double largest(const neat_tile *tile, const char *json, const char *condition) {
  neat_tile_layer layer = {.struct_size = sizeof layer};
  TRY(neat_tile_layer_at(tile, 0, &layer));
  double *values = calloc(layer.feature_count + 1, sizeof *values);
  uint32_t *kept = calloc(layer.feature_count + 1, sizeof *kept);
  neat_expression *expression = NULL, *filter = NULL;
  size_t count = 0;
  double result = 0;

  TRY(neat_expression_compile(json, strlen(json), NULL, 0, &expression));
  TRY(neat_filter_compile(condition, strlen(condition), &filter));
  TRY(neat_expression_evaluate_layer(expression, tile, 0, 1, values, layer.feature_count));
  TRY(neat_filter_layer(filter, tile, 0, 1, kept, layer.feature_count, &count));
  for (size_t i = 0; i < count; i++) result = fmax(result, values[kept[i]]);
  printf("%zu of %zu features pass %s\n", count, layer.feature_count, condition);

  neat_expression_destroy(filter);
  neat_expression_destroy(expression);
  free(kept);
  free(values);
  return result;
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: tile FILE.geojson\n");
    return 2;
  }
  size_t size = 0;
  char *json = read_file(argv[1], &size);
  if (json == NULL) return 1;

  neat_geojson *data = NULL;
  neat_tile *cut = NULL, *tile = NULL;
  neat_buffer *bytes = NULL;
  TRY(neat_geojson_parse(json, size, NULL, 0, &data));
  TRY(neat_geojson_tile(data, 1, 1, 0, &cut));
  TRY(neat_tile_encode_mvt(cut, &bytes));
  TRY(neat_tile_decode(neat_buffer_data(bytes), neat_buffer_size(bytes), NEAT_TILE_FORMAT_MVT, 1, &tile));
  printf(
      "%zu features in the file, tile 1/1/0 has %zu bytes\n", neat_geojson_feature_count(data),
      neat_buffer_size(bytes));
  for (size_t i = 0; i < neat_tile_layer_count(tile); i++) print_layer(tile, i);
  const char *letters = "[\"length\", [\"get\", \"name\"]]", *has_name = "[\"has\", \"name\"]";
  printf("longest name: %.0f letters\n", largest(tile, letters, has_name));

  neat_tile_destroy(tile);
  neat_buffer_destroy(bytes);
  neat_tile_destroy(cut);
  neat_geojson_destroy(data);
  free(json);
  return 0;
}
