/* Draws triangles of its own between two layers of a style, on the CPU's pixels and in a frame for a GPU, and gives
 * the tiles of a source from a function: custom STYLE OUT.png [--below LAYER] */
#include <neatline.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int fail(const char *what, neat_status status) {
  fprintf(stderr, "%s: %s: %s\n", what, neat_status_name(status), neat_last_error());
  return 1;
}

/* ---------------------------------------------------------------- a layer */

enum { RAYS = 24 };

typedef struct star {
  neat_custom_vertex corners[1 + 2 * RAYS];
  uint32_t indices[3 * RAYS];
  int pictures, frames;
} star;

/* A star over a place, in degrees: its middle is seen through, its rays are not. Colours are premultiplied. */
static void make_star(star *star, double lon, double lat) {
  star->corners[0] = (neat_custom_vertex){lon, lat, 0, {0.5f, 0.15f, 0.1f, 0.5f}};
  for (int i = 0; i < 2 * RAYS; i++) {
    double angle = 2 * 3.14159265358979323846 * i / (2 * RAYS), reach = i % 2 == 0 ? 16 : 7;
    star->corners[1 + i] =
        (neat_custom_vertex){lon + 1.5 * reach * cos(angle), lat + reach * sin(angle), 0, {1, 0.75f, 0.1f, 1}};
  }
  for (uint32_t i = 0; i < RAYS; i++) {
    star->indices[3 * i] = 0;
    star->indices[3 * i + 1] = 1 + 2 * i;
    star->indices[3 * i + 2] = 1 + (2 * i + 1) % (2 * RAYS);
  }
}

static neat_status initialize(void *context, char *message, size_t message_size) {
  (void)message, (void)message_size;
  make_star(context, 12, 42);
  puts("initialize");
  return NEAT_STATUS_OK;
}

/* The same for pixels and for frames. view->pixels, or view->matrix, is for who draws by other means. */
static neat_status render(void *context, const neat_custom_view *view, char *message, size_t message_size) {
  star *star = context;
  if (view->surface == NEAT_CUSTOM_SURFACE_PIXELS) star->pictures++;
  else star->frames++;
  neat_status status = neat_custom_draw_triangles(
      view->target, NEAT_CUSTOM_UNITS_DEGREES, star->corners, 1 + 2 * RAYS, star->indices, 3 * RAYS);
  if (status != NEAT_STATUS_OK) snprintf(message, message_size, "%s", neat_last_error());
  return status;
}

static void deinitialize(void *context) {
  star *star = context;
  printf("deinitialize after %d pictures and %d frames\n", star->pictures, star->frames);
}

/* ---------------------------------------------------------------- a source */

/* A tile of a grid: the ring half way between its edge and its middle. Called on the loop's thread; the answer could
 * as well come later, from another thread. */
static void fetch_tile(void *context, uint64_t source, uint32_t z, uint32_t x, uint32_t y) {
  int *count = context;
  const double pi = 3.14159265358979323846, edge = ldexp(1, -(int)z);
  char text[512];
  double lon[2], lat[2];
  for (int i = 0; i < 2; i++) {
    double across = (x + 0.25 + 0.5 * i) * edge, down = (y + 0.75 - 0.5 * i) * edge;
    lon[i] = across * 360 - 180;
    lat[i] = atan(sinh(pi * (1 - 2 * down))) * 180 / pi;
  }
  int size = snprintf(
      text, sizeof text,
      "{\"type\":\"LineString\",\"coordinates\":[[%.9f,%.9f],[%.9f,%.9f],[%.9f,%.9f],[%.9f,%.9f],[%.9f,%.9f]]}",
      lon[0], lat[0], lon[1], lat[0], lon[1], lat[1], lon[0], lat[1], lon[0], lat[0]);
  if (neat_set_custom_geometry_tile_data(source, z, x, y, text, (size_t)size) == NEAT_STATUS_OK) ++*count;
}

/* ---------------------------------------------------------------- the map */

static int write_png(const char *path, const neat_image *image) {
  neat_buffer *png = NULL;
  neat_status status = neat_image_encode_png(image, NEAT_PNG_MODE_SMALL, &png);
  if (status != NEAT_STATUS_OK) return fail(path, status);
  FILE *file = fopen(path, "wb");
  int failed =
      file == NULL || fwrite(neat_buffer_data(png), 1, neat_buffer_size(png), file) != neat_buffer_size(png);
  if (file != NULL) failed |= fclose(file) != 0;
  if (failed) perror(path);
  neat_buffer_destroy(png);
  return failed;
}

/* What a host with a GPU does: it goes through the commands, and finds its own between those of the style. */
static int print_frame(neat_map *map) {
  neat_frame *frame = NULL;
  neat_frame_info info = {.struct_size = sizeof info};
  neat_status status = neat_map_frame(map, &frame);
  if (status == NEAT_STATUS_OK) status = neat_frame_describe(frame, &info);
  const char *below = "nothing";
  for (size_t i = 0; status == NEAT_STATUS_OK && i < info.command_count; i++) {
    neat_frame_command command = {.struct_size = sizeof command};
    status = neat_frame_command_at(frame, i, &command);
    if (status != NEAT_STATUS_OK) break;
    if (command.kind != NEAT_FRAME_KIND_CUSTOM) {
      below = command.layer;
    } else if (command.vertex_buffer < 0) {
      printf("frame: layer %s is drawn above %s\n", command.layer, below);
    } else {
      printf("frame: %u triangles over %u vertices\n", command.index_count / 3, command.vertex_count);
    }
  }
  neat_frame_destroy(frame);
  return status == NEAT_STATUS_OK ? 0 : fail("the frame", status);
}

static int add(neat_map *map, const char *below, star *star, int *tile_count) {
  char position[256];
  int size = snprintf(position, sizeof position, "{\"below\":\"%s\"}", below);
  neat_custom_layer layer = {
      .struct_size = sizeof layer, .context = star, .initialize = initialize, .render = render,
      .deinitialize = deinitialize};
  neat_status status = neat_map_add_custom_layer(map, "star", 4, position, (size_t)size, &layer);
  if (status != NEAT_STATUS_OK) return fail("star", status);

  neat_custom_geometry_source source = {
      .struct_size = sizeof source, .context = tile_count, .fetch_tile = fetch_tile};
  status = neat_map_add_custom_geometry_source(map, "grid", 4, NULL, 0, &source, NULL);
  if (status != NEAT_STATUS_OK) return fail("grid", status);
  const char *lines =
      "{\"id\":\"grid\",\"type\":\"line\",\"source\":\"grid\",\"paint\":{\"line-color\":\"#be123c\",\"line-width\":2}}";
  status = neat_map_add_layer(map, lines, strlen(lines), "star", 4);
  return status == NEAT_STATUS_OK ? 0 : fail("grid", status);
}

int main(int argc, char **argv) {
  if (argc != 3 && !(argc == 5 && strcmp(argv[3], "--below") == 0)) {
    fprintf(stderr, "usage: custom STYLE OUT.png [--below LAYER]\n");
    return 2;
  }
  neat_loop *loop = NULL;
  neat_map *map = NULL;
  neat_image *image = NULL;
  neat_size size = {.struct_size = sizeof size, .width_px = 640, .height_px = 400, .pixel_ratio = 1};
  neat_camera camera = {
      .struct_size = sizeof camera, .lon_deg = 12, .lat_deg = 40, .zoom = 2.4, .pitch_deg = 40, .bearing_deg = 15};
  star star = {.pictures = 0};
  int tile_count = 0, code = 1;

  neat_status status = neat_loop_create(&loop);
  if (status == NEAT_STATUS_OK) status = neat_map_create(loop, &size, NULL, NULL, NULL, &map);
  if (status == NEAT_STATUS_OK) status = neat_map_load_style(map, argv[1], strlen(argv[1]));
  if (status == NEAT_STATUS_OK) status = neat_map_set_camera(map, &camera);
  if (status == NEAT_STATUS_OK) {
    neat_loop_run(loop, 30000);
    code = add(map, argc == 5 ? argv[4] : "city-dots", &star, &tile_count);
    neat_loop_run(loop, 30000);
  }
  if (code == 0) {
    status = neat_map_draw(map, &image);
    code = status == NEAT_STATUS_OK ? write_png(argv[2], image) : fail("the picture", status);
  }
  if (code == 0) {
    printf(
        "%s: %u x %u pixels, %d tiles of the grid, complete: %d\n", argv[2], neat_image_width_px(image),
        neat_image_height_px(image), tile_count, neat_image_missing_count(image) == 0);
    code = print_frame(map);
  } else if (status != NEAT_STATUS_OK) {
    fail(argv[1], status);
  }
  neat_image_destroy(image);
  neat_map_destroy(map);
  neat_loop_destroy(loop);
  return code;
}
