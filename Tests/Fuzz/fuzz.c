/* Damaged input for every function of the header that reads bytes from outside.

     fuzz [--count N] [--seed N] [--only TARGET] [--corpus FOLDER]...

   --count    executions of each target (20000)
   --seed     where the row of random numbers begins (1); an execution depends on seed, target and its number
   alone
   --corpus   files to damage besides those that are built in, told apart by their names' ends

   The input of the execution under way lies in a shared mapping: when the process dies of it, its parent
   writes it to crash-TARGET-NUMBER and says what happened. An execution that takes longer than 20 seconds is
   a finding as well. Prints a line a target and the sum. */
#define _GNU_SOURCE
#include <neatline.h>

#include <dirent.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Files of the corpus are small, so that damage hits what matters; fonts are what they are. */
enum {
  INPUT_LIMIT = 1 << 21,
  FILE_LIMIT = 1 << 15,
  FONT_LIMIT = 1 << 20,
  CORPUS_LIMIT = 4096,
  SLOWEST_SECONDS = 20
};

/* ---------------------------------------------------------------- random numbers and damage */

static uint64_t state;

static uint64_t next(void) {
  uint64_t z = state += 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

static size_t below(size_t count) { return count ? next() % count : 0; }

typedef struct bytes {
  uint8_t *data;
  size_t size;
} bytes;

/* Words of the languages that are read: numbers at their limits, and what structures are made of. */
static const char *const WORDS[] = {
    "0", "-1", "1e308", "-1e308", "1e-320", "1e999", "9007199254740993", "2147483648", "-2147483649",
    "18446744073709551616", "NaN", "null", "true", "false", "\"\"", "[]", "{}", "[[]]", ",", ":", "\"",
    "\\u0000", "\\ud800", "\xff\xfe", "\xf0\x9f\x98\x80", "[\"get\",\"a\"]", "[\"zoom\"]",
    "[\"literal\",[1,2]]", "[\"interpolate\",[\"linear\"],[\"zoom\"],0,1,22,2]",
    "[\"interpolate\",[\"exponential\",1e308],[\"zoom\"],-1e308,1,1e308,2]", "[\"step\",[\"zoom\"],0,1,1]",
    "[\"match\",[\"get\",\"a\"],1,2,3]", "[\"case\",true,1,2]", "[\"let\",\"x\",1,[\"var\",\"x\"]]",
    "[\"concat\",1,2]", "[\"slice\",\"abc\",-9,9]", "[\"at\",1e9,[\"literal\",[]]]",
    "[\"number-format\",1e300,{\"max-fraction-digits\":400}]", "[\"%\",1,0]", "[\"/\",0,0]",
    "[\"distance\",{\"type\":\"Point\",\"coordinates\":[0,1e9]}]",
    "[\"within\",{\"type\":\"Polygon\",\"coordinates\":[[]]}]", "rgba(1,2,3,NaN)", "hsl(1e9deg,1%,1%)",
    "{\"stops\":[[0,1],[1,2]]}", "{\"base\":0,\"stops\":[]}", "coordinates", "geometry", "features",
    "properties", "type", "Polygon", "MultiLineString", "GeometryCollection", "\"id\":1e300", "layout",
    "paint", "source", "minzoom", "line-dasharray", "symbol-spacing", "%@", "%K", "%d", "$zoomLevel",
    " CONTAINS ", " BETWEEN ", "FUNCTION(1,'x')", "TERNARY(", "\n", "\x1e", "\x80\x80\x80\x80\x08",
    "\x1a\x7f"};
enum { WORD_COUNT = sizeof WORDS / sizeof *WORDS };

/* One change; returns the new size. */
static size_t damage_once(uint8_t *data, size_t size, const bytes *other) {
  size_t at = below(size + 1), left;
  switch (below(11)) {
    case 0: if (size) data[below(size)] = (uint8_t)next(); return size;
    case 1: if (size) data[below(size)] ^= (uint8_t)(1u << below(8)); return size;
    case 2: {
      static const uint8_t edges[] = {0, 1, 0x7f, 0x80, 0xff};
      if (size) data[below(size)] = edges[below(sizeof edges)];
      return size;
    }
    case 3: return at; /* cut off */
    case 4: /* a piece taken out */
      left = below(size - at + 1);
      left = left > 16 && below(4) ? below(16) : left;
      memmove(data + at, data + at + left, size - at - left);
      return size - left;
    case 5: { /* a piece repeated */
      left = below(size - at + 1);
      if (left > 64) left = below(64);
      if (size + left > INPUT_LIMIT) return size;
      memmove(data + at + left, data + at, size - at);
      return size + left;
    }
    case 6: { /* a piece of another input */
      if (!other->size) return size;
      size_t from = below(other->size);
      left = below(other->size - from + 1);
      if (left > 256) left = below(256);
      if (size + left > INPUT_LIMIT) return size;
      memmove(data + at + left, data + at, size - at);
      memcpy(data + at, other->data + from, left);
      return size + left;
    }
    case 7: { /* four bytes as a number at its limits */
      static const uint32_t numbers[] = {0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 0x10000, 0x40000000};
      if (size >= 4) memcpy(data + below(size - 3), &numbers[below(7)], 4);
      return size;
    }
    default: { /* a word, put in or written over */
      const char *word = WORDS[below(WORD_COUNT)];
      size_t length = strlen(word);
      if (below(2) && at + length <= size) {
        memcpy(data + at, word, length);
        return size;
      }
      if (size + length > INPUT_LIMIT) return size;
      memmove(data + at + length, data + at, size - at);
      memcpy(data + at, word, length);
      return size + length;
    }
  }
}

/* ---------------------------------------------------------------- targets */

static void drop(neat_buffer *buffer) { neat_buffer_destroy(buffer); }

/* Whether a call on damaged input fails does not matter. */
static void either(neat_status status) { (void)status; }

static void read_tile(neat_tile *tile) {
  size_t count = neat_tile_layer_count(tile);
  for (size_t index = 0; index < count && index < 8; index++) {
    neat_tile_layer layer = {.struct_size = sizeof layer};
    neat_tile_layer_info info = {.struct_size = sizeof info};
    if (neat_tile_layer_info_at(tile, index, &info) == NEAT_STATUS_OK && info.feature_count < 10000) {
      neat_value *values = calloc(info.feature_count + 1, sizeof *values);
      either(neat_tile_property(tile, index, "name", 4, values, info.feature_count));
      free(values);
    }
    if (neat_tile_layer_at(tile, index, &layer) != NEAT_STATUS_OK) continue;
    for (size_t value = 0; value < layer.value_count && value < 16; value++) {
      neat_value found;
      either(neat_tile_value_at(tile, index, value, &found));
    }
    neat_buffer *indices = NULL, *starts = NULL;
    if (layer.point_count < 5000
        && neat_mesh_triangulate_layer(tile, index, &indices, &starts) == NEAT_STATUS_OK)
      drop(indices), drop(starts);
  }
  neat_buffer *out = NULL;
  if (below(4) == 0 && neat_tile_to_json(tile, below(2) ? 3 : -1, 1, 1, &out) == NEAT_STATUS_OK) drop(out);
  if (below(4) == 0 && neat_tile_encode_mvt(tile, &out) == NEAT_STATUS_OK) drop(out);
  if (below(4) == 0 && neat_tile_faults(tile, &out) == NEAT_STATUS_OK) drop(out);
  neat_tile_destroy(tile);
}

static void tile(const uint8_t *data, size_t size) {
  neat_tile *made = NULL;
  if (neat_tile_decode(
          data, size, below(8) ? NEAT_TILE_FORMAT_MVT : NEAT_TILE_FORMAT_AUTO, below(2) != 0, &made)
      == NEAT_STATUS_OK)
    read_tile(made);
}

static void open_tile(const uint8_t *data, size_t size) {
  neat_tile *made = NULL;
  if (neat_tile_open(data, size, NEAT_TILE_FORMAT_MVT, &made) == NEAT_STATUS_OK) read_tile(made);
}

static void mlt(const uint8_t *data, size_t size) {
  neat_tile *made = NULL;
  if (neat_tile_decode(data, size, NEAT_TILE_FORMAT_MLT, 0, &made) == NEAT_STATUS_OK) read_tile(made);
}

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
  if (neat_geojson_clusters(made, -180, -90, 180, 90, 2, &out) == NEAT_STATUS_OK) drop(out);
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

static void archive(const uint8_t *data, size_t size) {
  neat_archive *made = NULL;
  neat_buffer *out = NULL;
  if (neat_archive_parse(data, size, &made) != NEAT_STATUS_OK) return;
  if (neat_archive_info(made, &out) == NEAT_STATUS_OK) drop(out);
  if (neat_archive_tile(made, 0, 0, 0, &out) == NEAT_STATUS_OK) drop(out);
  if (neat_archive_tile(made, 3, 2, 1, &out) == NEAT_STATUS_OK) drop(out);
  neat_archive_destroy(made);
}

static const char STYLE[] =
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

static void style(const uint8_t *data, size_t size) {
  neat_buffer *out = NULL;
  if (neat_style_validate((const char *)data, size, &out) == NEAT_STATUS_OK) drop(out);
  if (neat_style_migrate((const char *)data, size, &out) == NEAT_STATUS_OK) drop(out);
  if (neat_style_diff(STYLE, sizeof STYLE - 1, (const char *)data, size, &out) == NEAT_STATUS_OK) drop(out);
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
    if (neat_image_report(image, &out) == NEAT_STATUS_OK) drop(out);
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
    drop(out);
  neat_renderer_destroy(renderer);
}

static void expression(const uint8_t *data, size_t size) {
  static const char *const specs[] = {
      "", "\"line-width\"", "\"fill-color\"", "\"text-field\"", "\"line-dasharray\"", "\"icon-image\""};
  const char *spec = specs[below(6)];
  neat_expression *made = NULL;
  neat_buffer *out = NULL;
  if (neat_expression_compile((const char *)data, size, *spec ? spec : NULL, strlen(spec), &made)
      != NEAT_STATUS_OK)
    return;
  static const char globals[] = "{\"zoom\":4.5,\"heatmapDensity\":0.5,\"availableImages\":[\"a\"]}";
  static const char feature[] = "{\"id\":7,\"type\":\"Point\",\"geometry\":{\"type\":\"Point\","
                                "\"coordinates\":[1,2]},\"properties\":{\"a\":1,\"b\":\"x\",\"c\":null}}";
  if (neat_expression_evaluate(made, globals, sizeof globals - 1, feature, sizeof feature - 1, &out)
      == NEAT_STATUS_OK)
    drop(out);
  if (neat_expression_disassemble(made, &out) == NEAT_STATUS_OK) drop(out);
  neat_expression_destroy(made);
}

static void filter(const uint8_t *data, size_t size) {
  neat_expression *made = NULL;
  neat_buffer *out = NULL;
  if (neat_filter_from_legacy((const char *)data, size, &out) == NEAT_STATUS_OK) drop(out);
  if (neat_filter_compile((const char *)data, size, &made) != NEAT_STATUS_OK) return;
  static const char feature[] = "{\"id\":7,\"type\":\"Point\",\"properties\":{\"a\":1,\"class\":\"x\"}}";
  if (neat_expression_evaluate(made, NULL, 0, feature, sizeof feature - 1, &out) == NEAT_STATUS_OK) drop(out);
  neat_expression_destroy(made);
}

static void legacy(const uint8_t *data, size_t size) {
  static const char *const specs[] = {
      "\"line-width\"", "\"fill-color\"", "\"text-field\"", "\"icon-image\"", "\"line-cap\""};
  const char *spec = specs[below(5)];
  neat_buffer *out = NULL;
  if (neat_expression_from_legacy((const char *)data, size, spec, strlen(spec), &out) == NEAT_STATUS_OK)
    drop(out);
}

static void format(const uint8_t *data, size_t size) {
  static const char arguments[] = "[\"a\",1,{\"$color\":\"red\"},[1,2],{\"0\":1,\"10\":2}]";
  neat_buffer *out = NULL;
  if (neat_expression_from_format(
          (const char *)data, size, arguments, sizeof arguments - 1,
          below(2) ? NEAT_FORMAT_KIND_PREDICATE : NEAT_FORMAT_KIND_EXPRESSION, &out)
      == NEAT_STATUS_OK)
    drop(out);
}

static void image(const uint8_t *data, size_t size) {
  neat_image *made = NULL;
  if (neat_image_decode(data, size, &made) == NEAT_STATUS_OK) neat_image_destroy(made);
}

static void track(const uint8_t *data, size_t size) {
  static const char *const formats[] = {"", "gpx", "nmea"};
  for (size_t each = 0; each < 3; each++) {
    neat_track *made;
    if (neat_track_create(data, size, formats[each], strlen(formats[each]), &made)) continue;
    neat_buffer *info = NULL;
    either(neat_track_info(made, &info));
    drop(info);
    size_t count = neat_track_count(made);
    for (size_t index = 0; index < count; index += 1 + count / 8) {
      neat_location location = {.struct_size = sizeof location};
      double time;
      either(neat_track_location(made, index, &location, &time));
    }
    neat_track_destroy(made);
  }
}

/* glTF, in a map that shows it. */
static void model(const uint8_t *data, size_t size) {
  static neat_loop *loop;
  static neat_map *map;
  if (!map) {
    static const char style[] = "{\"version\":8,\"sources\":{},\"layers\":[]}", puck[] = "{\"puck\":{}}";
    neat_size view = {.struct_size = sizeof view, .width_px = 64, .height_px = 64};
    neat_location place = {.struct_size = sizeof place};
    if (neat_loop_create(&loop) || neat_map_create(loop, &view, NULL, NULL, NULL, &map)
        || neat_map_set_style(map, style, sizeof style - 1, NULL, 0)
        || neat_map_set_location_options(map, puck, sizeof puck - 1) || neat_map_push_location(map, &place))
      abort();
  }
  neat_image *drawn;
  if (neat_map_set_puck_model(map, data, size) || neat_map_draw(map, &drawn)) return;
  neat_image_destroy(drawn);
}

/* Options of pucks and of views, as a host may hand on from its users. */
static void location(const uint8_t *data, size_t size) {
  static neat_loop *loop;
  static neat_map *map;
  neat_size view = {.struct_size = sizeof view, .width_px = 64, .height_px = 64};
  if (!map && (neat_loop_create(&loop) || neat_map_create(loop, &view, NULL, NULL, NULL, &map))) abort();
  neat_viewport_state *state;
  either(neat_map_set_location_options(map, (const char *)data, size));
  if (!neat_map_make_follow_puck_state(map, (const char *)data, size, &state)) {
    neat_viewport_state_destroy(state);
  }
  if (neat_map_make_overview_state(map, (const char *)data, size, &state)) return;
  neat_camera_change change = {.struct_size = sizeof change};
  either(neat_viewport_state_camera(state, &change));
  neat_viewport_state_destroy(state);
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
  if (below(64) == 0) either(neat_map_set_style(map, STYLE, sizeof STYLE - 1, NULL, 0));
  if (neat_map_ask(map, text, size, &out) == NEAT_STATUS_OK) drop(out);
  either(neat_map_change_style(map, text, size));
  either(neat_map_add_image_with(map, "i", 1, image, text, size));
  either(neat_map_localize_labels(map, text, size < 40 ? size : 40, NULL, 0));
  if (neat_style_localize_labels(text, size, "ja", 2, NULL, 0, &out) == NEAT_STATUS_OK) drop(out);
}

/* Styles that take in others, and what they leave open. */
static void imports(const uint8_t *data, size_t size) {
  static neat_loop *loop;
  neat_map *map = NULL;
  neat_size view = {.struct_size = sizeof view, .width_px = 16, .height_px = 16};
  neat_options options = {
      .struct_size = sizeof options, .thread_count = 1, .no_system_fonts = 1, .local_files = NEAT_LOCAL_FILES_DENY};
  if (!loop && neat_loop_create(&loop)) abort();
  if (neat_map_create(loop, &view, &options, NULL, NULL, &map)) abort();
  neat_buffer *out = NULL;
  if (!neat_map_set_style(map, (const char *)data, size, NULL, 0)) {
    if (neat_map_imports(map, &out) == NEAT_STATUS_OK) drop(out);
    either(neat_map_set_import_config(map, "a", 1, "c", 1, "\"red\"", 5));
    if (neat_map_style_json(map, &out) == NEAT_STATUS_OK) drop(out);
  }
  neat_map_destroy(map);
}

/* What a picture shows over its map. */
static void overlay(const uint8_t *data, size_t size) {
  neat_overlay *made = NULL;
  if (neat_overlay_create((const char *)data, size, &made) != NEAT_STATUS_OK) return;
  double box[4];
  either(neat_overlay_bounds(made, box, box + 1, box + 2, box + 3));
  neat_overlay_destroy(made);
}

/* Options and ids of view annotations, and where they then stand. */
static void views(const uint8_t *data, size_t size) {
  static neat_loop *loop;
  static neat_map *map;
  const char *text = (const char *)data;
  neat_view_annotation_placement placed[4];
  neat_image *drawn;
  neat_buffer *json;
  size_t count;
  if (!map) {
    static const char style[] = "{\"version\":8,\"sources\":{},\"layers\":[]}";
    neat_size view = {.struct_size = sizeof view, .width_px = 64, .height_px = 64};
    if (neat_loop_create(&loop) || neat_map_create(loop, &view, NULL, NULL, NULL, &map)
        || neat_map_set_style(map, style, sizeof style - 1, NULL, 0))
      abort();
  }
  either(neat_map_add_view_annotation(map, "a", 1, text, size, NULL));
  either(neat_map_update_view_annotation(map, "a", 1, text, size));
  either(neat_map_add_view_annotation(map, text, below(size + 1), text, size, NULL));
  neat_camera camera = {.struct_size = sizeof camera};
  either(neat_map_fit_view_annotations(map, text, size, NULL, &camera));
  if (neat_map_draw(map, &drawn)) return;
  neat_image_destroy(drawn);
  if (neat_map_view_annotation_placements(map, placed, 4, &count, NULL)
      || neat_map_view_annotations(map, &json))
    abort();
  drop(json);
  either(neat_map_remove_view_annotations(map));
}

/* ---------------------------------------------------------------- what an application draws and gives */

static const uint8_t *own_data;
static size_t own_size;

static void answer_tile(void *context, uint64_t source, uint32_t z, uint32_t x, uint32_t y) {
  (void)context;
  if (below(8)) either(neat_set_custom_geometry_tile_data(source, z, x, y, (const char *)own_data, own_size));
  else either(neat_fail_custom_geometry_tile(source, z, x, y, NEAT_STATUS_IO, (const char *)own_data, own_size));
}

/* The GeoJSON of tiles, drawn by a layer of each kind. */
static void custom_tile(const uint8_t *data, size_t size) {
  static neat_loop *loop;
  static neat_map *map;
  static uint64_t numbers[2];
  own_data = data, own_size = size;
  if (!map) {
    static const char style[] = "{\"version\":8,\"sources\":{},\"layers\":[]}";
    static const char *const options[] = {"{\"maxZoom\":4}", "{\"wrap\":true,\"clip\":true,\"tolerance\":0}"};
    static const char *const kinds[] = {"fill", "line", "circle", "heatmap", "fill-extrusion", "symbol"};
    neat_size view = {.struct_size = sizeof view, .width_px = 64, .height_px = 64};
    neat_custom_geometry_source source = {.struct_size = sizeof source, .fetch_tile = answer_tile};
    if (neat_loop_create(&loop) || neat_map_create(loop, &view, NULL, NULL, NULL, &map)
        || neat_map_set_style(map, style, sizeof style - 1, NULL, 0))
      abort();
    for (int i = 0; i < 2; i++) {
      const char *id = i ? "b" : "a";
      if (neat_map_add_custom_geometry_source(map, id, 1, options[i], strlen(options[i]), &source, &numbers[i]))
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
      numbers[below(2)], (uint32_t)below(6), (uint32_t)below(9), (uint32_t)below(9), (const char *)data, size));
  neat_loop_run(loop, 2000);
  neat_image *drawn;
  if (neat_map_draw(map, &drawn) == NEAT_STATUS_OK) neat_image_destroy(drawn);
}

/* Options of sources, as a host may hand on from its users. */
static void custom_options(const uint8_t *data, size_t size) {
  static neat_loop *loop;
  static neat_map *map;
  static const char style[] = "{\"version\":8,\"sources\":{},\"layers\":[]}";
  neat_size view = {.struct_size = sizeof view, .width_px = 64, .height_px = 64};
  if (!map
      && (neat_loop_create(&loop) || neat_map_create(loop, &view, NULL, NULL, NULL, &map)
          || neat_map_set_style(map, style, sizeof style - 1, NULL, 0)))
    abort();
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
  static neat_loop *loop;
  static neat_map *map;
  own_data = data, own_size = size;
  if (!map) {
    static const char style[] = "{\"version\":8,\"sources\":{},\"layers\":[]}";
    neat_size view = {.struct_size = sizeof view, .width_px = 64, .height_px = 64};
    neat_custom_layer layer = {.struct_size = sizeof layer, .render = draw_numbers};
    if (neat_loop_create(&loop) || neat_map_create(loop, &view, NULL, NULL, NULL, &map)
        || neat_map_set_style(map, style, sizeof style - 1, NULL, 0)
        || neat_map_add_custom_layer(map, "a", 1, NULL, 0, &layer))
      abort();
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

static void glyphs(const uint8_t *data, size_t size) {
  neat_fonts *fonts = NULL;
  neat_buffer *out = NULL;
  if (neat_fonts_create(&fonts) != NEAT_STATUS_OK) abort();
  static const char request[] = "{\"sections\":[{\"text\":\"Abc\",\"fontStack\":\"F\"}],\"maxWidth\":100}";
  if (neat_fonts_add_range(fonts, "F", 1, data, size) == NEAT_STATUS_OK
      && neat_fonts_shape(fonts, request, sizeof request - 1, &out) == NEAT_STATUS_OK)
    drop(out);
  neat_fonts_destroy(fonts);
}

static void font(const uint8_t *data, size_t size) {
  neat_fonts *fonts = NULL;
  neat_buffer *out = NULL;
  if (neat_fonts_create(&fonts) != NEAT_STATUS_OK) abort();
  static const char request[] = "{\"sections\":[{\"text\":\"Ab\",\"fontStack\":\"F\"}],\"maxWidth\":100}";
  if (neat_fonts_add_file(fonts, data, size) == NEAT_STATUS_OK
      && neat_fonts_shape(fonts, request, sizeof request - 1, &out) == NEAT_STATUS_OK)
    drop(out);
  neat_fonts_destroy(fonts);
}

static void shape(const uint8_t *data, size_t size) {
  static neat_fonts *fonts;
  neat_buffer *out = NULL;
  if (!fonts && neat_fonts_create(&fonts) != NEAT_STATUS_OK) abort();
  if (neat_fonts_shape(fonts, (const char *)data, size, &out) == NEAT_STATUS_OK) drop(out);
}

/* Numbers that follow from the bytes: often equal, often at the limits of what there is. */
static double number(const uint8_t *data, size_t size, size_t index) {
  static const double numbers[] = {0,     1,      -1,     4096,         8192,      0.5,
                                   1e300, -1e300, 1e-300, 2147483648.0, 0.0 / 0.0, 1.0 / 0.0};
  uint8_t byte = size ? data[index % size] : 0;
  return byte < 16 ? numbers[byte % 12] : (double)byte * (index % 3 ? 7 : -5);
}

static void mesh(const uint8_t *data, size_t size) {
  enum { LIMIT = 64 };
  double points[2 * LIMIT];
  float line[2 * LIMIT];
  size_t count = size < LIMIT ? size : LIMIT;
  for (size_t index = 0; index < 2 * count; index++)
    line[index] = (float)(points[index] = number(data, size, index * 3));
  uint32_t rings[4] = {
      0, (uint32_t)(count / 2), (uint32_t)(below(4) ? count / 2 + count / 4 : next()), (uint32_t)count};
  neat_buffer *a = NULL, *b = NULL;
  if (neat_mesh_triangulate(points, count, rings, 1 + below(3), &a) == NEAT_STATUS_OK) drop(a);
  neat_line_options options = {
      .struct_size = sizeof options,
      .cap = (neat_line_cap)below(4),
      .join = (neat_line_join)below(4),
      .miter_limit = number(data, size, 5),
      .round_limit = number(data, size, 6),
      .is_closed = below(2) != 0};
  if (neat_mesh_line(line, count, &options, &a, &b) == NEAT_STATUS_OK) drop(a), drop(b);
  neat_collision *collision = NULL;
  if (neat_collision_create(number(data, size, 7), number(data, size, 8), &collision) != NEAT_STATUS_OK)
    return;
  uint32_t placed;
  for (size_t index = 0; index + 4 < 2 * count && index < 16; index += 4) {
    const double *p = points + index;
    either(neat_collision_place_box(collision, p[0], p[1], p[2], p[3], &placed));
    either(neat_collision_place_circle(collision, p[0], p[1], p[2], &placed));
  }
  neat_collision_destroy(collision);
}

/* Lines, rings and polygons of such numbers, mostly finite ones. */
static void shapes(const uint8_t *data, size_t size) {
  enum { LIMIT = 64 };
  double a[2 * LIMIT], out[2 * LIMIT], length;
  size_t count = size < LIMIT ? size : LIMIT, half = count / 2;
  for (size_t index = 0; index < 2 * count; index++) {
    double value = number(data, size, index * 3);
    a[index] = isfinite(value) || below(64) == 0 ? value : 0;
  }
  neat_shape_place found[LIMIT];
  neat_buffer *made = NULL;
  double x = number(data, size, 5), y = number(data, size, 6);
  either(neat_shape_distances(a, half, a + 2 * half, half, out));
  either(neat_shape_destinations(a, half, &x, 1, a, half, out));
  either(neat_shape_length(a, count, &length));
  either(neat_shape_along(a, count, a, half, found));
  either(neat_shape_closest(a, half, a + 2 * half, half, found));
  if (neat_shape_slice(a, count, below(2) ? a + 2 : NULL, below(2) ? a + 4 : NULL, &made) == NEAT_STATUS_OK)
    drop(made);
  if (neat_shape_trim(a, count, x, y, &made) == NEAT_STATUS_OK) drop(made);
  if (neat_shape_trim_from(a, count, x, y, x, &made) == NEAT_STATUS_OK) drop(made);
  if (neat_shape_intersections(a, half, a + 2 * half, half, below(9), &made) == NEAT_STATUS_OK) drop(made);
  if (neat_shape_bezier(a, count, 1 + (uint32_t)below(500), y, &made) == NEAT_STATUS_OK) drop(made);
  for (uint32_t kind = 0; kind < 4; kind++) {
    if (neat_shape_simplify(a, count, fabs(x), kind & 1, kind & 2, &made) == NEAT_STATUS_OK) drop(made);
  }
  uint32_t rings[4] = {
      0, (uint32_t)half, (uint32_t)(below(4) ? half + count / 4 : next()), (uint32_t)count};
  uint32_t polygons[3] = {0, (uint32_t)below(4), 3};
  uint8_t inside[LIMIT];
  either(neat_shape_area(a, count, rings, 3, below(2) ? polygons : NULL, 2, &length));
  either(neat_shape_contains(
      a, count, rings, 3, below(2) ? polygons : NULL, 2, a, below(2) ? count : half % 8, below(2) != 0,
      inside));
  either(neat_shape_bounds(a, half < 4 ? half : 4, out));
  either(neat_shape_centroid(a, count, below(2) != 0, out));
  either(neat_shape_center_of_mass(a, count, out));
  /* Few times, or more than there may be. */
  uint32_t times = (uint32_t)(below(50) ? below(6) : 40 + below(24));
  if (neat_shape_smooth(a, count, times, &made) == NEAT_STATUS_OK) drop(made);
  if (neat_shape_circle(x, y, x, (uint32_t)below(200), &made) == NEAT_STATUS_OK) drop(made);
}

/* ---------------------------------------------------------------- what is damaged */

typedef struct target {
  const char *name;
  void (*run)(const uint8_t *data, size_t size);
  /* Ends of the names of files of the corpus, then inputs that are always there. */
  const char *ends[4];
  const char *seeds[6];
  /* One in so many executions of the count that is asked for: what takes long. */
  unsigned share;
} target;

#define FEATURES                                                                                             \
  "{\"type\":\"FeatureCollection\",\"features\":[{\"type\":\"Feature\",\"id\":1,\"properties\":{\"name\":"   \
  "\"a\",\"n\":1.5},\"geometry\":"                                                                           \
  "{\"type\":\"Polygon\",\"coordinates\":[[[0,0],[10,0],[10,10],[0,10],[0,0]],[[2,2],[2,4],[4,4],[2,2]]]}}," \
  "{\"type\":\"Feature\","                                                                                   \
  "\"properties\":{},\"geometry\":{\"type\":\"MultiLineString\",\"coordinates\":[[[0,0],[1,1]],[[179,80],[-" \
  "179,81]]]}},{\"type\":\"Feature\","                                                                       \
  "\"properties\":null,\"geometry\":{\"type\":\"GeometryCollection\",\"geometries\":[{\"type\":\"Point\","   \
  "\"coordinates\":[1,2,3]}]}}]}"

static const target TARGETS[] = {
    {"tile",
     tile,
     {".mvt", ".pbf"},
     {"\x1a\x16\x0a\x01"
      "a\x12\x0d\x08\x01\x12\x02\x01\x01\x18\x02\x22\x05\x09\x02\x02\x0a\x02\x28\x20\x78\x02"},
     1},
    {"open",
     open_tile,
     {".mvt", ".pbf"},
     {"\x1a\x16\x0a\x01"
      "a\x12\x0d\x08\x01\x12\x02\x01\x01\x18\x02\x22\x05\x09\x02\x02\x0a\x02\x28\x20\x78\x02"},
     1},
    {"mlt",
     mlt,
     {".mlt"},
     {"\x02\x01"
      "a\x20"},
     1},
    {"archive", archive, {".pmtiles"}, {"PMTiles\x03"}, 2},
    {"geojson",
     geojson,
     {".geojson"},
     {FEATURES, "{\"type\":\"Point\",\"coordinates\":[1,2]}\n{\"type\":\"Point\",\"coordinates\":[3,4]}\n"},
     2},
    {"reader",
     geojson_reader,
     {".geojson"},
     {FEATURES, "\x1e{\"type\":\"Point\",\"coordinates\":[1,2]}\n"},
     2},
    {"custom-tile", custom_tile, {".geojson"}, {FEATURES, "{\"type\":\"Point\",\"coordinates\":[1,2]}"}, 100},
    {"custom-options",
     custom_options,
     {NULL},
     {"{\"minZoom\":2,\"maxZoom\":9,\"tileSize\":256,\"buffer\":64,\"tolerance\":0,\"wrap\":true,\"clip\":true}"},
     4},
    {"triangles", triangles, {".mvt"}, {"abcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmnopqrstuvwxyz"}, 4},
    {"update",
     geojson_update,
     {NULL},
     {"{\"remove\":[1,\"x\"],\"add\":[{\"type\":\"Feature\",\"id\":2,\"properties\":{},\"geometry\":{"
      "\"type\":\"Point\",\"coordinates\":[5,6]}}]}",
      "{\"update\":[{\"id\":1,\"newGeometry\":{\"type\":\"Point\",\"coordinates\":[7,8]},"
      "\"removeProperties\":[\"a\"],\"addOrUpdateProperties\":[{\"key\":\"b\",\"value\":[1]}]}]}",
      "{\"removeAll\":true}"},
     2},
    {"style",
     style,
     {"style.json"},
     {STYLE,
      "{\"version\":8,\"sources\":{},\"layers\":[{\"id\":\"a\",\"type\":\"fill\",\"filter\":[\"in\",\"a\",1],"
      "\"paint\":{\"fill-color\":{\"stops\":[[0,\"red\"]]}}}]}"},
     4},
    {"draw",
     draw,
     {NULL},
     {STYLE,
      "{\"version\":8,\"sources\":{\"g\":{\"type\":\"geojson\",\"cluster\":true,\"data\":" FEATURES
      "}},\"layers\":["
      "{\"id\":\"f\",\"type\":\"fill\",\"source\":\"g\",\"paint\":{\"fill-color\":\"red\",\"fill-opacity\":0."
      "5,\"fill-translate\":[1,2]}},"
      "{\"id\":\"e\",\"type\":\"fill-extrusion\",\"source\":\"g\",\"paint\":{\"fill-extrusion-height\":"
      "100000,\"fill-extrusion-base\":5}},"
      "{\"id\":\"h\",\"type\":\"heatmap\",\"source\":\"g\",\"paint\":{\"heatmap-radius\":9,\"heatmap-"
      "weight\":[\"get\",\"n\"]}}]}"},
     50},
    {"expression",
     expression,
     {"test.json"},
     {"[\"interpolate\",[\"linear\"],[\"zoom\"],0,[\"get\",\"a\"],10,[\"*\",2,[\"get\",\"a\"]]]",
      "[\"format\",[\"get\",\"b\"],{\"font-scale\":2},[\"image\",\"a\"]]",
      "[\"let\",\"x\",[\"to-number\",[\"get\",\"b\"],1],[\"case\",[\">\",[\"var\",\"x\"],0],[\"rgb\",1,2,3],"
      "\"red\"]]",
      "[\"match\",[\"get\",\"b\"],[\"x\",\"y\"],1,\"z\",2,3]",
      "{\"type\":\"exponential\",\"base\":2,\"property\":\"a\",\"stops\":[[{\"zoom\":0,\"value\":1},2],[{"
      "\"zoom\":9,\"value\":1},5]]}"},
     1},
    {"filter",
     filter,
     {NULL},
     {"[\"all\",[\"in\",\"class\",\"x\",\"y\"],[\"!has\",\"z\"],[\">=\",\"a\",1]]",
      "[\"==\",[\"get\",\"a\"],1]", "[\"none\",[\"==\",\"$type\",\"Point\"],[\"<\",\"$id\",9]]"},
     1},
    {"legacy",
     legacy,
     {NULL},
     {"{\"base\":1.5,\"stops\":[[5,1],[10,\"{name}\"]]}",
      "{\"type\":\"categorical\",\"property\":\"a\",\"default\":1,\"stops\":[[\"x\",2],[true,3]]}",
      "\"{name} {ref}\""},
     1},
    {"format",
     format,
     {NULL},
     {"name CONTAINS %@ AND rank < %d OR NOT (a IN {1, 2})",
      "mgl_interpolate:withCurveType:parameters:stops:($zoomLevel, 'linear', nil, %@)",
      "TERNARY(a > 1, 'x', UPPERCASE(b))"},
     1},
    {"image", image, {".png", ".jpg", ".webp"}, {"\x89PNG\r\n\x1a\n"}, 10},
    {"track",
     track,
     {".gpx", ".nmea"},
     {"<?xml version=\"1.0\"?><!DOCTYPE gpx [<!ENTITY a \"b\">]><gpx version=\"1.1\"><!-- c --><trk><trkseg>"
      "<trkpt lat=\"47.26\" lon=\"11.39\""
      "><ele>580</ele><time>2024-05-01T12:00:00.5+02:00</time><hdop>2</hdop>"
      "<extensions><g:speed>1</g:speed></extensions></trkpt><trkpt lat='1' lon='2'/></trkseg></trk></gpx>",
      "$GPGGA,120000.00,4715.600,N,01123.400,E,1,08,0.9,580.5,M,46.9,M,,\r\n"
      "$GNRMC,120001,A,4715.6,S,01123.4,W,10.0,84.4,010524,3.1,W\n$GPGST,120001,,,,,3.0,4.0,5.0\n"
      "$GPHDT,274.07,T\n$GPZDA,120002,01,05,2024,00,00\n$GPGLL,4715.6,N,01123.4,E,120002,A\n"},
     1},
    {"model",
     model,
     {".gltf", ".glb"},
     {"{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0,\"scale\""
      ":[9,9,9]}],"
      "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"NORMAL\":0},\"indices\":1,\""
      "material\":0}]}],"
      "\"materials\":[{\"pbrMetallicRoughness\":{\"baseColorFactor\":[1,0,0,1]}}],\"accessors\":[{\""
      "bufferView\":0,"
      "\"componentType\":5126,\"type\":\"VEC3\",\"count\":3},{\"bufferView\":1,\"componentType\":5121,\""
      "type\":"
      "\"SCALAR\",\"count\":3}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":36},{\"buffer\":0,\""
      "byteOffset\":36,"
      "\"byteLength\":3}],\"buffers\":[{\"byteLength\":39,\"uri\":\"data:application/octet-stream;base64,"
      "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAEC\"}]}"},
     2},
    {"location",
     location,
     {NULL},
     {"{\"puck\":{\"scale\":[\"interpolate\",[\"linear\"],[\"zoom\"],0,1,22,2],\"opacity\":0.5,\"pulsing\":{"
      "\"color\":\"red\",\"radius\":\"accuracy\",\"period\":100}},\"puckBearing\":\"course\"}",
      "{\"zoom\":12,\"pitch\":null,\"bearing\":\"course\",\"padding\":[1,2,3,4]}",
      "{\"geometry\":{\"type\":\"GeometryCollection\",\"geometries\":[{\"type\":\"Point\",\""
      "coordinates\":[1,2]}]},"
      "\"geometryPadding\":[1,2,3,4],\"maxZoom\":9,\"offset\":[3,4],\"animationDuration\":5}"},
     4},
    {"ask",
     ask,
     {NULL},
     {"{\"ask\":\"rendered-features\",\"polygon\":[[0,0],[64,0],[0,64]],\"layers\":[\"a\"],\"filter\":[\"has\",\"a\"],"
      "\"limit\":3}",
      "{\"ask\":\"cluster-leaves\",\"source\":\"g\",\"cluster\":33,\"limit\":1,\"offset\":0}",
      "{\"ask\":\"source-features\",\"source\":\"g\",\"sourceLayers\":[\"a\"],\"filter\":[\"==\",[\"get\",\"a\"],1]}",
      "[{\"command\":\"setPaintProperty\",\"args\":[\"c\",\"circle-radius\",3]},{\"command\":\"addLayer\",\"args\":"
      "[{\"id\":\"n\",\"type\":\"background\"},\"c\"]}]",
      "{\"pixelRatio\":2,\"sdf\":true,\"stretchX\":[[0,1],[2,8]],\"stretchY\":[[1,2]],\"content\":[0,0,8,4],"
      "\"textFitWidth\":\"stretchOnly\"}"},
     8},
    {"imports",
     imports,
     {NULL},
     {"{\"version\":8,\"imports\":[{\"id\":\"a\",\"config\":{\"c\":\"blue\"},\"data\":{\"version\":8,\"sprite\":\"s\","
      "\"schema\":{\"c\":{\"default\":\"red\",\"type\":\"color\",\"values\":[\"red\",\"blue\"]}},\"sources\":{\"g\":{\"type\":"
      "\"geojson\",\"data\":\"x\"}},\"layers\":[{\"id\":\"l\",\"type\":\"background\",\"paint\":{\"background-color\":"
      "[\"config\",\"c\"]}},{\"id\":\"s\",\"type\":\"slot\"}]}}],\"sources\":{},\"layers\":[{\"id\":\"m\",\"type\":"
      "\"background\",\"slot\":\"s\"}]}"},
     20},
    {"overlay",
     overlay,
     {NULL},
     {"{\"annotations\":[{\"kind\":\"circle\",\"id\":\"a\",\"options\":{\"properties\":{\"circle-radius\":3},\"cluster\":{\"radius\":5}},"
      "\"annotations\":[{\"id\":\"b\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[1,2]},\"properties\":"
      "{\"circle-color\":\"red\"}}]}]}",
      "{\"sources\":{},\"layers\":[{\"id\":\"a\",\"type\":\"simplestyle\",\"source\":\"g\"}],\"before\":\"x\"}"},
     4},
    {"views",
     views,
     {NULL},
     {"{\"geometry\":{\"type\":\"Point\",\"coordinates\":[1,2]},\"width\":40,\"height\":20.5,"
      "\"anchor\":\"bottomLeft\",\"offsetX\":3,\"offsetY\":-4,\"allowOverlap\":true,\"visible\":true,"
      "\"selected\":false,"
      "\"associatedFeatureId\":7}",
      "[\"a\",\"b\"]"},
     4},
    {"glyphs",
     glyphs,
     {".pbf"},
     {"\x0a\x10\x0a\x01"
      "F\x12\x03"
      "0-1\x1a\x06\x08\x41\x18\x01\x20\x01"},
     10},
    {"font", font, {".ttf", ".otf"}, {"OTTO"}, 20},
    {"shape",
     shape,
     {NULL},
     {"{\"sections\":[{\"text\":\"Ab \\u05d0\\u0628 "
      "c-d\",\"fontStack\":\"F\",\"scale\":1.5},{\"image\":\"i\"}],\"maxWidth\":100,\"lineHeight\":24,"
      "\"anchor\":\"top\",\"justify\":\"auto\","
      "\"writingMode\":\"vertical\",\"letterSpacing\":1,\"images\":{\"i\":{\"width\":5,\"height\":6}}}"},
     4},
    {"mesh", mesh, {".mvt"}, {"abcdefghijklmnopqrstuvwxyz0123456789"}, 1},
    {"shapes", shapes, {".mvt"}, {"abcdefghijklmnopqrstuvwxyz0123456789"}, 1},
};
enum { TARGET_COUNT = sizeof TARGETS / sizeof *TARGETS };

static struct {
  bytes items[CORPUS_LIMIT];
  const char *names[CORPUS_LIMIT];
  size_t count;
} corpus;

static int ends_with(const char *text, const char *end) {
  size_t a = strlen(text), b = strlen(end);
  return a >= b && strcmp(text + a - b, end) == 0;
}

static int is_wanted(const char *name) {
  for (size_t index = 0; index < TARGET_COUNT; index++) {
    for (size_t end = 0; end < 4 && TARGETS[index].ends[end]; end++) {
      if (ends_with(name, TARGETS[index].ends[end])) return 1;
    }
  }
  return 0;
}

static int compare(const struct dirent **a, const struct dirent **b) {
  return strcmp((*a)->d_name, (*b)->d_name);
}

static void add_folder(const char *path) {
  struct dirent **entries;
  int count = scandir(path, &entries, NULL, compare);
  for (int index = 0; index < count; index++) {
    const char *name = entries[index]->d_name;
    char *full = NULL;
    struct stat info;
    if (name[0] != '.' && asprintf(&full, "%s/%s", path, name) > 0 && stat(full, &info) == 0) {
      if (S_ISDIR(info.st_mode)) {
        add_folder(full);
      } else if (
          info.st_size < (ends_with(name, ".ttf") || ends_with(name, ".otf") ? FONT_LIMIT : FILE_LIMIT)
          && is_wanted(name) && corpus.count < CORPUS_LIMIT) {
        FILE *file = fopen(full, "rb");
        bytes item = {malloc((size_t)info.st_size + 1), 0};
        item.size = file ? fread(item.data, 1, (size_t)info.st_size, file) : 0;
        if (file) fclose(file);
        corpus.items[corpus.count] = item;
        corpus.names[corpus.count++] = strdup(name);
      }
    }
    free(full);
    free(entries[index]);
  }
  if (count >= 0) free(entries);
}

/* ---------------------------------------------------------------- runs */

/* What the child is at, for its parent to read when the child has died. */
typedef struct watch {
  uint64_t execution;
  size_t size;
  uint8_t input[INPUT_LIMIT];
} watch;

static void run_target(const target *target, size_t index, uint64_t seed, uint64_t count, watch *watch) {
  bytes *pool = calloc(CORPUS_LIMIT + 8, sizeof *pool);
  size_t pool_count = 0;
  for (size_t s = 0; s < 6 && target->seeds[s]; s++)
    pool[pool_count++] = (bytes){(uint8_t *)target->seeds[s], strlen(target->seeds[s])};
  for (size_t c = 0; c < corpus.count; c++) {
    for (size_t end = 0; end < 4 && target->ends[end]; end++) {
      if (ends_with(corpus.names[c], target->ends[end])) pool[pool_count++] = corpus.items[c];
    }
  }
  for (uint64_t execution = 0; execution < count; execution++) {
    state = seed * 0x9E3779B97F4A7C15u + index * 0xD1B54A32D192ED03u + execution * 0x8CB92BA72F3D8DD7u;
    next();
    /* Built-in inputs half of the time: they are small, and damage hits what matters. */
    size_t chosen = below(2) ? below(pool_count < 6 ? pool_count : 6) : below(pool_count);
    watch->execution = execution;
    watch->size = pool[chosen].size;
    memcpy(watch->input, pool[chosen].data, watch->size);
    size_t changes = 1 + below(below(4) ? 4 : 24);
    for (size_t change = 0; change < changes; change++)
      watch->size = damage_once(watch->input, watch->size, &pool[below(pool_count)]);
    alarm(SLOWEST_SECONDS);
    target->run(watch->input, watch->size);
  }
  free(pool);
}

/* Runs a target in a child; whether it came through. */
static int survives(const target *target, size_t index, uint64_t seed, uint64_t count, watch *watch) {
  struct timespec begin, end;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    run_target(target, index, seed, count, watch);
    fflush(stdout);
    _exit(0);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) < 0) return 0;
  clock_gettime(CLOCK_MONOTONIC, &end);
  double seconds = (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
    printf("%-12s %12llu executions, %7.1f s\n", target->name, (unsigned long long)count, seconds);
    return 1;
  }
  char name[64];
  snprintf(name, sizeof name, "crash-%s-%llu", target->name, (unsigned long long)watch->execution);
  FILE *file = fopen(name, "wb");
  if (file) {
    fwrite(watch->input, 1, watch->size, file);
    fclose(file);
  }
  const char *what = WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "left early";
  printf(
      "%-12s FINDING at execution %llu of seed %llu: %s; the input is in %s\n", target->name,
      (unsigned long long)watch->execution, (unsigned long long)seed, what, name);
  return 0;
}

int main(int argc, char **argv) {
  uint64_t count = 20000, seed = 1, sum = 0;
  const char *only = NULL;
  int findings = 0, ran = 0;
  for (int index = 1; index + 1 < argc; index += 2) {
    if (strcmp(argv[index], "--count") == 0) count = strtoull(argv[index + 1], NULL, 10);
    else if (strcmp(argv[index], "--seed") == 0) seed = strtoull(argv[index + 1], NULL, 10);
    else if (strcmp(argv[index], "--only") == 0) only = argv[index + 1];
    else if (strcmp(argv[index], "--corpus") == 0) add_folder(argv[index + 1]);
    else return fprintf(stderr, "unknown option: %s\n", argv[index]), 2;
  }
  watch *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) return 2;
  for (size_t index = 0; index < TARGET_COUNT; index++) {
    if (only && strcmp(only, TARGETS[index].name) != 0) continue;
    uint64_t share = count / TARGETS[index].share + 1;
    ran++;
    if (survives(&TARGETS[index], index, seed, share, shared)) sum += share;
    else findings++;
  }
  if (!ran) return fprintf(stderr, "no target %s\n", only), 2;
  printf(
      "%llu executions over %d targets, %zu files of a corpus, %d findings\n", (unsigned long long)sum, ran,
      corpus.count, findings);
  return findings != 0;
}
