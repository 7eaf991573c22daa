/* Makes and destroys handles of each type by the thousand, and looks at what is left: threads, descriptors,
 * bytes in use.
 *
 *   lifetimes [--count N] [--style PATH LON LAT ZOOM] [--font FILE] [KIND...]
 *
 * Kinds: all of the table at the end of this file, or those that are named. `styled`, the renderer of the
 * style's file, is only there with --style. Fails where a kind leaves a thread, a descriptor, or 1 kB and
 * more a handle. */
#define _GNU_SOURCE
#include "world.h"

#include <dirent.h>
#include <malloc.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { LIMIT = 1024 };

static const char *style_path;
static double style_lon, style_lat, style_zoom;
static uint8_t *font;
static size_t font_size;
static neat_buffer *tile_bytes;

static void buffer(void) {
  const char *json = "{\"version\":8,\"sources\":{},\"layers\":[]}";
  neat_buffer *out = NULL;
  OK(neat_style_validate(json, strlen(json), &out));
  neat_buffer_destroy(out);
}

static void image(void) {
  static const uint8_t pixels[64 * 64 * 4];
  neat_image *image = NULL, *copy = NULL;
  neat_buffer *png = NULL;
  OK(neat_image_create(64, 64, pixels, &image));
  OK(neat_image_encode_png(image, NEAT_PNG_MODE_FAST, &png));
  OK(neat_image_decode(neat_buffer_data(png), neat_buffer_size(png), &copy));
  neat_buffer_destroy(png);
  neat_image_destroy(copy);
  neat_image_destroy(image);
}

static void draw(const char *style) {
  neat_renderer *renderer = world_renderer(style);
  neat_image_destroy(world_draw(renderer));
  neat_renderer_destroy(renderer);
}

static void renderer(void) { draw(world_style_of_files()); }
static void renderer_http(void) { draw(world_style()); }

static void styled(void) {
  neat_renderer *renderer = NULL;
  neat_image *image = NULL;
  neat_camera camera = {
      .struct_size = sizeof camera, .lon_deg = style_lon, .lat_deg = style_lat, .zoom = style_zoom};
  neat_size size = {.struct_size = sizeof size, .width_px = 64, .height_px = 64};
  OK(neat_renderer_load(style_path, strlen(style_path), NULL, &renderer));
  OK(neat_renderer_draw(renderer, &camera, &size, 10000, &image));
  neat_image_destroy(image);
  neat_renderer_destroy(renderer);
}

static void frame(void) {
  neat_renderer *renderer = world_renderer(world_style_of_files());
  neat_frame *frame = NULL;
  neat_camera camera = {.struct_size = sizeof camera, .zoom = -1};
  neat_size size = {.struct_size = sizeof size, .width_px = 128, .height_px = 128};
  OK(neat_renderer_frame(renderer, &camera, &size, 5000, &frame));
  neat_renderer_destroy(renderer);
  neat_frame_destroy(frame);
}

static void loop(void) {
  neat_loop *loop = NULL;
  OK(neat_loop_create(&loop));
  neat_loop_run(loop, 1);
  neat_loop_destroy(loop);
}

static void map_of(const char *style) {
  neat_loop *loop = NULL;
  neat_map *map = NULL;
  neat_image *image = NULL;
  neat_options options = {.struct_size = sizeof options, .thread_count = 3};
  neat_size size = {.struct_size = sizeof size, .width_px = 128, .height_px = 128};
  neat_camera camera = {.struct_size = sizeof camera, .zoom = -1};
  OK(neat_loop_create(&loop));
  OK(neat_map_create(loop, &size, &options, NULL, NULL, &map));
  OK(neat_map_set_style(map, style, strlen(style), NULL, 0));
  OK(neat_map_set_camera(map, &camera));
  neat_loop_run(loop, 5000);
  CHECK(neat_map_is_loaded(map));
  OK(neat_map_draw(map, &image));
  neat_image_destroy(image);
  /* Something is under way when it ends. */
  OK(neat_map_set_style(map, style, strlen(style), NULL, 0));
  neat_loop_poll(loop);
  neat_map_destroy(map);
  neat_loop_destroy(loop);
}

static void map(void) { map_of(world_style_of_files()); }
static void map_http(void) { map_of(world_style()); }

static void tile(void) {
  const uint8_t *data = neat_buffer_data(tile_bytes);
  size_t size = neat_buffer_size(tile_bytes);
  neat_tile *decoded = NULL, *opened = NULL, *borrowed = NULL;
  neat_buffer *json = NULL;
  OK(neat_tile_decode(data, size, NEAT_TILE_FORMAT_AUTO, 0, &decoded));
  OK(neat_tile_open(data, size, NEAT_TILE_FORMAT_AUTO, &opened));
  OK(neat_tile_open_borrow(data, size, NEAT_TILE_FORMAT_AUTO, &borrowed));
  OK(neat_tile_to_json(opened, 0, 0, 0, &json));
  neat_buffer_destroy(json);
  OK(neat_tile_to_json(borrowed, 0, 0, 0, &json));
  neat_buffer_destroy(json);
  neat_text_stream *stream = NULL;
  OK(neat_tile_stream_json(decoded, 0, 0, 0, NEAT_TILE_JSON_FORM_COLLECTION, 0, &stream));
  neat_tile_destroy(decoded);
  do {
    OK(neat_text_stream_next(stream, &json));
    neat_buffer_destroy(json);
  } while (json != NULL);
  neat_text_stream_destroy(stream);
  neat_tile_destroy(opened);
  neat_tile_destroy(borrowed);
}

static void archive_at(const char *path) {
  neat_archive *archive = NULL;
  neat_buffer *tile = NULL;
  OK(neat_archive_open(path, strlen(path), &archive));
  OK(neat_archive_tile(archive, 0, 0, 0, &tile));
  neat_buffer_destroy(tile);
  neat_archive_destroy(archive);
}

static void archive_mbtiles(void) { archive_at(world_path("world.mbtiles")); }
static void archive_pmtiles(void) { archive_at(world_path("world.pmtiles")); }

static void writer_at(const char *path) {
  neat_archive_writer *writer = NULL;
  OK(neat_archive_writer_create(path, strlen(path), NULL, 0, &writer));
  OK(neat_archive_writer_add(writer, 0, 0, 0, neat_buffer_data(tile_bytes), neat_buffer_size(tile_bytes)));
  neat_archive_writer_destroy(writer);
}

static void writer_mbtiles(void) { writer_at(world_path("new.mbtiles")); }
static void writer_pmtiles(void) { writer_at(world_path("new.pmtiles")); }

/* Threads cut tiles for it. */
static void archive_of_geojson(void) {
  char sources[256], target[128];
  const char *options = "{\"maxzoom\":1,\"resume\":false,\"overwrite\":true}";
  snprintf(sources, sizeof sources, "[{\"name\":\"points\",\"url\":\"%s\"}]", world_path("world.geojson"));
  snprintf(target, sizeof target, "%s", world_path("cut.pmtiles"));
  neat_buffer *report = NULL;
  OK(neat_archive_tile_geojson(
      sources, strlen(sources), target, strlen(target), options, strlen(options), NULL, NULL, &report));
  neat_buffer_destroy(report);
}

/* Saved by one and written by another; a text that is not ended, and one that is wrong. */
static void tiler(void) {
  static const char points[] = "{\"type\":\"MultiPoint\",\"coordinates\":[[10,50],[-100,40]]}";
  const char *layers = "[{\"name\":\"points\"}]";
  const char *options = "{\"maxzoom\":3,\"drop\":\"densest\",\"memory\":1048576}";
  const char *over = "{\"overwrite\":true}";
  char run[128], target[128];
  snprintf(run, sizeof run, "%s", world_path("points.run"));
  snprintf(target, sizeof target, "%s", world_path("tiler.pmtiles"));
  neat_tiler *one = NULL, *other = NULL;
  neat_buffer *text = NULL;
  OK(neat_tiler_create(layers, strlen(layers), options, strlen(options), &one));
  OK(neat_tiler_add_geojson(one, "points", 6, 0, points, 20, 0));
  CHECK(neat_tiler_save(one, run, strlen(run)) == NEAT_STATUS_STATE);
  CHECK(neat_tiler_add_geojson(one, "points", 6, 1, points, 20, 0) == NEAT_STATUS_STATE);
  OK(neat_tiler_add_geojson(one, "points", 6, 0, points + 20, strlen(points) - 20, 1));
  OK(neat_tiler_save(one, run, strlen(run)));
  OK(neat_tiler_create(layers, strlen(layers), options, strlen(options), &other));
  OK(neat_tiler_load(other, run, strlen(run)));
  OK(neat_tiler_ranges(other, 4, &text));
  neat_buffer_destroy(text);
  OK(neat_tiler_thresholds(other, 0, UINT64_MAX, &text));
  neat_buffer_destroy(text);
  OK(neat_tiler_write(
      other, target, strlen(target), 0, UINT64_MAX, over, strlen(over), NULL, NULL, &text));
  CHECK(strstr((const char *)neat_buffer_data(text), "\"features\":1,") != NULL);
  neat_buffer_destroy(text);
  CHECK(neat_tiler_add_geojson(other, "none", 4, 0, points, 20, 0) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_tiler_add_geojson(one, "points", 6, 1, "]", 1, 1) == NEAT_STATUS_GEOJSON);
  CHECK(neat_tiler_save(one, run, strlen(run)) == NEAT_STATUS_GEOJSON);
  neat_tiler_destroy(one);
  neat_tiler_destroy(other);
}

static void expression(void) {
  static const char *const sources[] = {
      "[\"interpolate\",[\"linear\"],[\"zoom\"],0,1,10,[\"get\",\"rank\"]]",
      "[\"let\",\"a\",[\"get\",\"rank\"],[\"step\",[\"zoom\"],0,3,[\"var\",\"a\"],8,[\"*\",2,[\"var\",\"a\"]]"
      "]]",
      "[\"coalesce\",[\"interpolate\",[\"exponential\",1.5],[\"zoom\"],0,1,10,[\"match\",[\"get\",\"kind\"],"
      "\"a\",1,2]],0]",
      "{\"stops\":[[0,1],[10,4]],\"base\":1.2}",
  };
  const char *spec = "{\"type\":\"number\",\"property-type\":\"data-driven\",\"expression\":{"
                     "\"interpolated\":true,\"parameters\":[\"zoom\",\"feature\"]}}";
  for (size_t n = 0; n < sizeof sources / sizeof *sources; n++) {
    neat_expression *expression = NULL;
    neat_buffer *out = NULL;
    OK(neat_expression_compile(sources[n], strlen(sources[n]), spec, strlen(spec), &expression));
    OK(neat_expression_info(expression, &out));
    neat_buffer_destroy(out);
    neat_expression_destroy(expression);
  }
}

static void filter(void) {
  const char *json =
      "[\"all\",[\"==\",[\"get\",\"rank\"],3],[\"in\",[\"get\",\"name\"],[\"literal\",[\"a\",\"b\"]]]]";
  neat_expression *filter = NULL;
  OK(neat_filter_compile(json, strlen(json), &filter));
  neat_expression_destroy(filter);
}

static void collision(void) {
  neat_collision *collision = NULL;
  uint32_t placed = 0;
  OK(neat_collision_create(512, 512, &collision));
  for (int n = 0; n < 32; n++)
    OK(neat_collision_place_box(collision, n * 8, n * 8, n * 8 + 30, n * 8 + 10, &placed));
  neat_collision_destroy(collision);
}

static void geojson(void) {
  neat_geojson *geojson = NULL;
  neat_tile *tile = NULL;
  OK(neat_geojson_parse(world_geojson, strlen(world_geojson), NULL, 0, &geojson));
  OK(neat_geojson_tile(geojson, 2, 1, 1, &tile));
  const char *diff = "{\"remove\":[4]}";
  OK(neat_geojson_update(geojson, diff, strlen(diff)));
  neat_tile_destroy(tile);
  neat_geojson_destroy(geojson);
}

static void clusters(void) {
  neat_geojson *geojson = NULL;
  neat_tile *tile = NULL;
  const char *options = "{\"cluster\":true}";
  OK(neat_geojson_parse(world_geojson, strlen(world_geojson), options, strlen(options), &geojson));
  OK(neat_geojson_tile(geojson, 0, 0, 0, &tile));
  neat_tile_destroy(tile);
  neat_geojson_destroy(geojson);
}

static void geojson_reader(void) {
  neat_geojson_reader *reader = NULL, *dropped = NULL;
  neat_geojson *geojson = NULL;
  size_t half = strlen(world_geojson) / 2;
  OK(neat_geojson_reader_create(NULL, 0, &dropped));
  OK(neat_geojson_reader_append(dropped, world_geojson, half));
  neat_geojson_reader_destroy(dropped);
  OK(neat_geojson_reader_create(NULL, 0, &reader));
  OK(neat_geojson_reader_append(reader, world_geojson, half));
  OK(neat_geojson_reader_append(reader, world_geojson + half, strlen(world_geojson) - half));
  OK(neat_geojson_reader_finish(reader, &geojson));
  neat_geojson_reader_destroy(reader);
  neat_geojson_destroy(geojson);
}

static void fonts(void) {
  neat_fonts *fonts = NULL;
  neat_buffer *out = NULL;
  OK(neat_fonts_create(&fonts));
  if (font != NULL) {
    const char *wrong = "{\"text\":\"Neatline\",\"fontStacks\":\"any\"}";
    const char *right = "{\"sections\":[{\"text\":\"Neatline\",\"fontStack\":\"any\"}]}";
    OK(neat_fonts_add_file(fonts, font, font_size));
    if (neat_fonts_shape(fonts, wrong, strlen(wrong), &out) == NEAT_STATUS_OK) abort();
    OK(neat_fonts_shape(fonts, right, strlen(right), &out));
  }
  neat_buffer_destroy(out);
  neat_fonts_destroy(fonts);
}

static void meshes(void) {
  neat_tile *tile = NULL;
  neat_buffer *indices = NULL, *starts = NULL;
  OK(neat_tile_decode(
      neat_buffer_data(tile_bytes), neat_buffer_size(tile_bytes), NEAT_TILE_FORMAT_AUTO, 0, &tile));
  OK(neat_mesh_triangulate_layer(tile, 0, &indices, &starts));
  neat_buffer_destroy(indices);
  neat_buffer_destroy(starts);
  neat_tile_destroy(tile);
}

/* What fails leaves nothing either, but for the words. */
static void failures(void) {
  neat_renderer *renderer = NULL;
  neat_tile *tile = NULL;
  neat_geojson *geojson = NULL;
  neat_expression *expression = NULL;
  neat_image *image = NULL;
  CHECK(neat_renderer_create("[", 1, NULL, 0, NULL, &renderer) != NEAT_STATUS_OK);
  CHECK(neat_tile_decode((const uint8_t *)"\x1a\x05", 2, NEAT_TILE_FORMAT_MVT, 1, &tile) != NEAT_STATUS_OK);
  CHECK(neat_geojson_parse(world_geojson, strlen(world_geojson) / 2, NULL, 0, &geojson) != NEAT_STATUS_OK);
  CHECK(neat_expression_compile("[\"+\",\"a\"]", 9, NULL, 0, &expression) != NEAT_STATUS_OK);
  CHECK(neat_image_decode((const uint8_t *)"\x89PNG", 4, &image) != NEAT_STATUS_OK);
}

static const struct {
  const char *name;
  void (*make)(void);
} kinds[] = {
    {"buffer", buffer},
    {"image", image},
    {"renderer", renderer},
    {"renderer-http", renderer_http},
    {"styled", styled},
    {"frame", frame},
    {"loop", loop},
    {"map", map},
    {"map-http", map_http},
    {"tile", tile},
    {"archive-mbtiles", archive_mbtiles},
    {"archive-pmtiles", archive_pmtiles},
    {"writer-mbtiles", writer_mbtiles},
    {"writer-pmtiles", writer_pmtiles},
    {"archive-of-geojson", archive_of_geojson},
    {"tiler", tiler},
    {"expression", expression},
    {"filter", filter},
    {"collision", collision},
    {"geojson", geojson},
    {"clusters", clusters},
    {"geojson-reader", geojson_reader},
    {"fonts", fonts},
    {"meshes", meshes},
    {"failures", failures},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static int count_threads(void) {
  FILE *file = fopen("/proc/self/status", "r");
  char line[256];
  int count = -1;
  while (file != NULL && fgets(line, sizeof line, file) != NULL) sscanf(line, "Threads: %d", &count);
  if (file != NULL) fclose(file);
  return count;
}

static int count_descriptors(void) {
  DIR *folder = opendir("/proc/self/fd");
  int count = 0;
  while (folder != NULL && readdir(folder) != NULL) count++;
  if (folder != NULL) closedir(folder);
  return count;
}

static double bytes_in_use(void) {
  struct mallinfo2 info = mallinfo2();
  return (double)info.uordblks + (double)info.hblkhd;
}

/* What was under way when a map ended is let go of by the thread that it ran on, which ends itself a moment
   later. What is left behind for good does not go away by waiting. */
static void settle(int threads, int descriptors) {
  struct timespec pause = {.tv_nsec = 1000000};
  for (int n = 0; n < 2000 && (count_threads() > threads || count_descriptors() > descriptors); n++)
    nanosleep(&pause, NULL);
}

static int watch(const char *name, void (*make)(void), long count) {
  /* Tables of the runtime, caches of the library and worker threads of libuv come to life once. */
  long warm = count / 10 < 10 ? 10 : count / 10 > 100 ? 100 : count / 10;
  for (long n = 0; n < warm; n++) make();
  int threads = count_threads(), descriptors = count_descriptors();
  double bytes = bytes_in_use();
  struct timespec begin, end;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  for (long n = 0; n < count; n++) make();
  clock_gettime(CLOCK_MONOTONIC, &end);
  settle(threads, descriptors);
  int more_threads = count_threads() - threads, more_descriptors = count_descriptors() - descriptors;
  double each = (bytes_in_use() - bytes) / (double)count;
  double seconds = (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) / 1e9;
  int is_flat = more_threads <= 0 && more_descriptors <= 0 && each < LIMIT;
  printf(
      "%-20s %7ld made in %6.1f s: %+d threads, %+d descriptors, %+.0f bytes each%s\n", name, count, seconds,
      more_threads, more_descriptors, each, is_flat ? "" : "  <-- left behind");
  fflush(stdout);
  return is_flat ? 0 : 1;
}

static void read_font(const char *path) {
  FILE *file = fopen(path, "rb");
  CHECK(file != NULL);
  fseek(file, 0, SEEK_END);
  font_size = (size_t)ftell(file);
  rewind(file);
  font = malloc(font_size);
  CHECK(font != NULL && fread(font, 1, font_size, file) == font_size);
  fclose(file);
}

int main(int argc, char **argv) {
  long count = 1000;
  int wanted[KINDS] = {0}, is_any = 0, failed = 0;
  for (int n = 1; n < argc; n++) {
    if (strcmp(argv[n], "--count") == 0 && n + 1 < argc) {
      count = atol(argv[++n]);
    } else if (strcmp(argv[n], "--style") == 0 && n + 4 < argc) {
      style_path = argv[++n];
      style_lon = atof(argv[++n]);
      style_lat = atof(argv[++n]);
      style_zoom = atof(argv[++n]);
    } else if (strcmp(argv[n], "--font") == 0 && n + 1 < argc) {
      read_font(argv[++n]);
    } else {
      int known = 0;
      for (int kind = 0; kind < KINDS; kind++)
        if (strcmp(argv[n], kinds[kind].name) == 0) known = wanted[kind] = is_any = 1;
      if (!known || (strcmp(argv[n], "styled") == 0 && style_path == NULL)) {
        fprintf(stderr, "unknown, or without its arguments: %s\n", argv[n]);
        return 2;
      }
    }
  }
  if (count < 1) return 2;
  world_begin();
  tile_bytes = world_tile();
  for (int kind = 0; kind < KINDS; kind++) {
    if (is_any ? !wanted[kind] : kinds[kind].make == styled && style_path == NULL) continue;
    failed += watch(kinds[kind].name, kinds[kind].make, count);
  }
  neat_buffer_destroy(tile_bytes);
  free(font);
  return failed == 0 ? 0 : 1;
}
