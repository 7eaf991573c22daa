/* GeoJSON: documents, pieces of documents, and changes. */
#include "../fuzz.h"

#include <stdlib.h>
#include <string.h>

static const char *geojson_options(void) {
  static const char *const options[] = {
      "", "{\"cluster\":true}", "{\"lineMetrics\":true,\"generateId\":true}",
      "{\"promoteId\":\"name\",\"extent\":1,\"buffer\":0}", "{\"maxzoom\":4,\"tolerance\":0}"};
  return options[below(5)];
}

static void use_geojson(neat_geojson *made) {
  neat_tile *cut = NULL;
  neat_buffer *out = NULL;
  if (neat_geojson_tile(made, 0, 0, 0, &cut) == NEAT_STATUS_OK) neat_tile_destroy(cut);
  if (neat_geojson_tile(made, 14, 8710, 5744, &cut) == NEAT_STATUS_OK) neat_tile_destroy(cut);
  drop_if(neat_geojson_clusters(made, -180, -90, 180, 90, 2, &out), &out);
  neat_geojson_destroy(made);
}

static void geojson(const uint8_t *data, size_t size) {
  neat_geojson *made = NULL;
  const char *options = geojson_options();
  if (neat_geojson_parse((const char *)data, size, options, strlen(options), &made) == NEAT_STATUS_OK)
    use_geojson(made);
}

static void geojson_reader(const uint8_t *data, size_t size) {
  neat_geojson_reader *reader = NULL;
  neat_geojson *made = NULL;
  if (neat_geojson_reader_create(NULL, 0, &reader) != NEAT_STATUS_OK) abort();
  size_t cut = below(size + 1);
  either(neat_geojson_reader_append(reader, (const char *)data, cut));
  either(neat_geojson_reader_append(reader, (const char *)data + cut, size - cut));
  if (neat_geojson_reader_finish(reader, &made) == NEAT_STATUS_OK) use_geojson(made);
  neat_geojson_reader_destroy(reader);
}

static void geojson_update(const uint8_t *data, size_t size) {
  static const char base[] =
      "{\"type\":\"FeatureCollection\",\"features\":[{\"type\":\"Feature\",\"id\":1,\"properties\":{\"a\":1},"
      "\"geometry\":{\"type\":\"Point\","
      "\"coordinates\":[1,2]}},{\"type\":\"Feature\",\"id\":\"x\",\"properties\":null,\"geometry\":null}]}";
  neat_geojson *made = NULL;
  if (neat_geojson_parse(base, sizeof base - 1, NULL, 0, &made) != NEAT_STATUS_OK) abort();
  either(neat_geojson_update(made, (const char *)data, size));
  use_geojson(made);
}

const target GEOJSON_TARGETS[] = {
    {"geojson", geojson, {".geojson"}, 2, 0},
    {"reader", geojson_reader, {".geojson"}, 2, 0},
    {"update", geojson_update, {NULL}, 2, 0},
    {0}};
