/* Styles: read, validated, compared, drawn, and changed. */
#include "../fuzz.h"

#include <stdlib.h>
#include <string.h>

const char STYLE[] =
    "{\"version\":8,\"name\":\"n\",\"center\":[1,2],\"zoom\":3,\"sources\":{\"g\":{\"type\":\"geojson\","
    "\"data\":{\"type\":\"LineString\",\"coordinates\":"
    "[[0,0],[9,9],[-9,40]]}}},\"layers\":[{\"id\":\"b\",\"type\":\"background\",\"paint\":{\"background-"
    "color\":\"#abc\"}},{\"id\":\"l\",\"type\":\"line\","
    "\"source\":\"g\",\"layout\":{\"line-cap\":\"round\",\"line-join\":\"round\"},\"paint\":{\"line-width\":"
    "3,\"line-dasharray\":[2,1],\"line-blur\":1,"
    "\"line-offset\":2,\"line-gap-width\":1}},{\"id\":\"c\",\"type\":\"circle\",\"source\":\"g\",\"paint\":{"
    "\"circle-radius\":4,\"circle-blur\":0.5,"
    "\"circle-stroke-width\":1,\"circle-translate\":[1,1]}},{\"id\":\"t\",\"type\":\"symbol\",\"source\":"
    "\"g\",\"layout\":{\"text-field\":\"Abc\","
    "\"text-size\":12,\"symbol-placement\":\"line\",\"symbol-spacing\":50,\"text-max-width\":5}}]}";
const size_t STYLE_SIZE = sizeof STYLE - 1;

static void style(const uint8_t *data, size_t size) {
  neat_buffer *out = NULL;
  drop_if(neat_style_validate((const char *)data, size, &out), &out);
  drop_if(neat_style_migrate((const char *)data, size, &out), &out);
  drop_if(neat_style_diff(STYLE, STYLE_SIZE, (const char *)data, size, &out), &out);
}

/* A style that is drawn and asked. */
static void draw(const uint8_t *data, size_t size) {
  neat_options options = {
      .struct_size = sizeof options,
      .thread_count = 1,
      .local_files = NEAT_LOCAL_FILES_DENY,
      .no_system_fonts = 1,
      .timeout_ms = 200,
      .retry_count = NEAT_NO_RETRIES};
  neat_renderer *renderer = NULL;
  if (neat_renderer_create((const char *)data, size, NULL, 0, &options, &renderer) != NEAT_STATUS_OK) return;
  static const double zooms[] = {-2, 0, 2.5, 11, 25.5};
  neat_camera camera = {
      .struct_size = sizeof camera,
      .use_style = below(3) == 0,
      .zoom = zooms[below(5)],
      .lat_deg = below(2) ? 0 : 85,
      .pitch_deg = below(3) ? 0 : 60,
      .bearing_deg = below(2) ? 0 : 33};
  neat_size view = {.struct_size = sizeof view, .width_px = 24, .height_px = 16, .pixel_ratio = 1};
  neat_image *image = NULL;
  neat_buffer *out = NULL;
  if (neat_renderer_draw(renderer, &camera, &view, 500, &image) == NEAT_STATUS_OK) {
    drop_if(neat_image_report(image, &out), &out);
    neat_image_destroy(image);
  }
  neat_projection projection = NEAT_PROJECTION_MERCATOR;
  if (neat_renderer_projection(renderer, (double)below(29) - 2, &projection) == NEAT_STATUS_OK
      && projection != NEAT_PROJECTION_MERCATOR && projection != NEAT_PROJECTION_GLOBE)
    abort();
  neat_frame *frame = NULL;
  if (below(8) == 0 && neat_renderer_frame(renderer, &camera, &view, 500, &frame) == NEAT_STATUS_OK)
    neat_frame_destroy(frame);
  if (below(8) == 0
      && neat_renderer_query(renderer, &camera, &view, 0, 0, 24, 16, NULL, 0, &out) == NEAT_STATUS_OK)
    neat_buffer_destroy(out);
  neat_renderer_destroy(renderer);
}

/* Styles that take in others, and what they leave open. */
static void imports(const uint8_t *data, size_t size) {
  static neat_loop *loop;
  neat_map *map = NULL;
  neat_size view = {.struct_size = sizeof view, .width_px = 16, .height_px = 16};
  neat_options options = {
      .struct_size = sizeof options,
      .thread_count = 1,
      .no_system_fonts = 1,
      .local_files = NEAT_LOCAL_FILES_DENY};
  if (!loop && neat_loop_create(&loop)) abort();
  if (neat_map_create(loop, &view, &options, NULL, NULL, &map)) abort();
  neat_buffer *out = NULL;
  if (!neat_map_set_style(map, (const char *)data, size, NULL, 0)) {
    drop_if(neat_map_imports(map, &out), &out);
    either(neat_map_set_import_config(map, "a", 1, "c", 1, "\"red\"", 5));
    drop_if(neat_map_style_json(map, &out), &out);
  }
  neat_map_destroy(map);
}

/* Questions, steps, options of images and languages, of a map that has a style. */
static void ask(const uint8_t *data, size_t size) {
  static neat_loop *loop;
  static neat_map *map;
  static neat_image *image;
  neat_size view = {.struct_size = sizeof view, .width_px = 64, .height_px = 64};
  neat_options options = {.struct_size = sizeof options, .thread_count = 1, .no_system_fonts = 1};
  if (!map) {
    if (neat_loop_create(&loop) || neat_map_create(loop, &view, &options, NULL, NULL, &map)) abort();
    if (neat_image_create(8, 4, (const uint8_t[128]){0}, &image)) abort();
  }
  const char *text = (const char *)data;
  neat_buffer *out = NULL;
  if (below(64) == 0) either(neat_map_set_style(map, STYLE, STYLE_SIZE, NULL, 0));
  drop_if(neat_map_ask(map, text, size, &out), &out);
  either(neat_map_change_style(map, text, size));
  either(neat_map_add_image_with(map, "i", 1, image, text, size));
  either(neat_map_localize_labels(map, text, size < 40 ? size : 40, NULL, 0));
  drop_if(neat_style_localize_labels(text, size, "ja", 2, NULL, 0, &out), &out);
}

const target STYLE_TARGETS[] = {
    {"style", style, {"style.json"}, 4, 0},
    {"draw", draw, {NULL}, 50, 0},
    {"imports", imports, {NULL}, 20, 0},
    {"ask", ask, {NULL}, 8, 0},
    {0}};
