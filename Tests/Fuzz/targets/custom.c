/* Input of an application's own sources and layers: tiles, options, triangles. */
#include "../fuzz.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint8_t *own_data;
static size_t own_size;

static void answer_tile(void *context, uint64_t source, uint32_t z, uint32_t x, uint32_t y) {
  (void)context;
  if (below(8)) either(neat_set_custom_geometry_tile_data(source, z, x, y, (const char *)own_data, own_size));
  else
    either(neat_fail_custom_geometry_tile(
        source, z, x, y, NEAT_STATUS_IO, (const char *)own_data, own_size));
}

/* The GeoJSON of tiles, drawn by a layer of each kind. */
static void custom_tile(const uint8_t *data, size_t size) {
  static neat_loop *loop;
  static neat_map *map;
  static uint64_t numbers[2];
  own_data = data, own_size = size;
  if (!map) {
    static const char *const options[] = {"{\"maxZoom\":4}", "{\"wrap\":true,\"clip\":true,\"tolerance\":0}"};
    static const char *const kinds[] = {"fill", "line", "circle", "heatmap", "fill-extrusion", "symbol"};
    neat_custom_geometry_source source = {.struct_size = sizeof source, .fetch_tile = answer_tile};
    map = make_map(&loop);
    if (neat_map_set_fade_duration(map, 0)) abort();
    either(neat_map_set_transitions(map, 0));
    for (int i = 0; i < 2; i++) {
      const char *id = i ? "b" : "a";
      if (neat_map_add_custom_geometry_source(
              map, id, 1, options[i], strlen(options[i]), &source, &numbers[i]))
        abort();
      for (size_t kind = 0; kind < 6; kind++) {
        char layer[128];
        int length = snprintf(
            layer, sizeof layer, "{\"id\":\"%s%s\",\"type\":\"%s\",\"source\":\"%s\"}", id, kinds[kind],
            kinds[kind], id);
        if (neat_map_add_layer(map, layer, (size_t)length, NULL, 0)) abort();
      }
    }
  }
  neat_camera camera = {
      .struct_size = sizeof camera, .lon_deg = (double)below(721) - 360, .lat_deg = (double)below(171) - 85,
      .zoom = (double)below(9), .pitch_deg = below(3) ? 0 : 40};
  if (neat_map_set_camera(map, &camera)) abort();
  either(neat_map_invalidate_custom_geometry_region(map, "a", 1, -180, -90, 180, 90));
  either(neat_map_invalidate_custom_geometry_region(map, "b", 1, -180, -90, 180, 90));
  either(neat_set_custom_geometry_tile_data(
      numbers[below(2)], (uint32_t)below(6), (uint32_t)below(9), (uint32_t)below(9), (const char *)data,
      size));
  neat_loop_run(loop, 2000);
  neat_image *drawn;
  if (neat_map_draw(map, &drawn) == NEAT_STATUS_OK) neat_image_destroy(drawn);
}

/* Options of sources, as a host may hand on from its users. */
static void custom_options(const uint8_t *data, size_t size) {
  static neat_map *map;
  if (!map) map = make_map(NULL);
  neat_custom_geometry_source source = {.struct_size = sizeof source, .fetch_tile = answer_tile};
  if (!neat_map_add_custom_geometry_source(map, "a", 1, (const char *)data, size, &source, NULL)
      && neat_map_remove_source(map, "a", 1))
    abort();
}

/* Numbers of all kinds as the corners of triangles. */
static neat_status draw_numbers(
    void *context, const neat_custom_view *view, char *message, size_t message_size) {
  (void)context, (void)message, (void)message_size;
  enum { LIMIT = 64 };
  neat_custom_vertex corners[LIMIT];
  uint32_t indices[3 * LIMIT];
  static const double places[] = {0, 0.5, 1, 12, -1, 1e-300, 1e300, -1e300, 179.99, 85.06, 90, -90, 1e15};
  size_t count = own_size / 8 < LIMIT ? own_size / 8 : LIMIT;
  for (size_t i = 0; i < count; i++) {
    const uint8_t *b = own_data + 8 * i;
    double *place = &corners[i].x;
    for (int k = 0; k < 3; k++) place[k] = b[k] < 200 ? b[k] / 199.0 : places[b[k] % 13];
    for (int k = 0; k < 4; k++) corners[i].color[k] = b[3 + k] < 250 ? b[3 + k] / 249.0f : 1e30f;
    if (b[7] == 255) place[b[0] % 3] = NAN;
    if (b[7] == 254) corners[i].color[b[0] % 4] = -INFINITY;
  }
  for (size_t i = 0; i < 3 * count; i++) indices[i] = (uint32_t)below(count + (own_data[i] == 7));
  neat_custom_units units = below(2) ? NEAT_CUSTOM_UNITS_DEGREES : NEAT_CUSTOM_UNITS_MERCATOR;
  size_t index_count = 3 * count - (below(32) == 0);
  either(
      below(2) ? neat_custom_draw_triangles(view->target, units, corners, count, indices, index_count)
               : neat_custom_draw_solid(
                     view->target, units, below(2) ? NEAT_CUSTOM_FACES_FRONT : NEAT_CUSTOM_FACES_BOTH,
                     corners, count, indices, index_count));
  return NEAT_STATUS_OK;
}

static void triangles(const uint8_t *data, size_t size) {
  static neat_map *map;
  own_data = data, own_size = size;
  if (!map) {
    neat_custom_layer layer = {.struct_size = sizeof layer, .render = draw_numbers};
    map = make_map(NULL);
    if (neat_map_add_custom_layer(map, "a", 1, NULL, 0, &layer)) abort();
  }
  neat_camera camera = {
      .struct_size = sizeof camera, .zoom = (double)below(12) - 2, .pitch_deg = (double)below(86),
      .bearing_deg = (double)below(360)};
  neat_image *drawn;
  neat_frame *frame;
  if (neat_map_set_camera(map, &camera)) abort();
  if (neat_map_draw(map, &drawn) == NEAT_STATUS_OK) neat_image_destroy(drawn);
  if (neat_map_frame(map, &frame) == NEAT_STATUS_OK) neat_frame_destroy(frame);
}

const target CUSTOM_TARGETS[] = {
    {"custom-tile", custom_tile, {".geojson"}, 20, 0},
    {"custom-options", custom_options, {NULL}, 4, 0},
    {"triangles", triangles, {".mvt"}, 4, 0},
    {0}};
