/* A program of the first header of ABI version 2. Every structure that may grow is given and filled with the
   sizes of that day, with a guard behind it that nothing may write over. */
#include <neatline.h>
#include <string.h>

#include "check.h"

#define GUARD 0x5A

/* A structure as the old header has it, and bytes behind it that are not the library's. */
#define GUARDED(type)        \
  struct {                   \
    type value;              \
    unsigned char guard[64]; \
  }

#define PREPARE(guarded)                                      \
  do {                                                        \
    memset(&(guarded), GUARD, sizeof(guarded));               \
    memset(&(guarded).value, 0, sizeof((guarded).value));     \
    (guarded).value.struct_size = sizeof((guarded).value);    \
  } while (0)

static int is_whole(const unsigned char *guard) {
  for (int i = 0; i < 64; i++) {
    if (guard[i] != GUARD) return 0;
  }
  return 1;
}

static neat_renderer *renderer(void) {
  GUARDED(neat_options) options;
  PREPARE(options);
  options.value.thread_count = 1;
  options.value.retry_count = NEAT_NO_RETRIES;
  neat_renderer *made = NULL;
  CHECK(neat_renderer_create(STYLE, strlen(STYLE), NULL, 0, &options.value, &made) == NEAT_STATUS_OK);
  return made;
}

static void draws(neat_renderer *renderer) {
  GUARDED(neat_camera) camera;
  GUARDED(neat_size) size;
  PREPARE(camera);
  PREPARE(size);
  camera.value.zoom = 3;
  size.value.width_px = 40;
  size.value.height_px = 30;
  neat_image *image = NULL;
  CHECK(neat_renderer_draw(renderer, &camera.value, &size.value, 0, &image) == NEAT_STATUS_OK);
  CHECK(neat_image_width_px(image) == 40 && neat_image_height_px(image) == 30);
  static const unsigned char red[4] = {255, 0, 0, 255};
  CHECK(memcmp(neat_image_pixels(image), red, 4) == 0);
  neat_image_destroy(image);

  neat_frame *frame = NULL;
  CHECK(neat_renderer_frame(renderer, &camera.value, &size.value, 0, &frame) == NEAT_STATUS_OK);
  GUARDED(neat_frame_info) info;
  GUARDED(neat_frame_command) command;
  GUARDED(neat_frame_buffer) buffer;
  PREPARE(info);
  PREPARE(command);
  PREPARE(buffer);
  CHECK(neat_frame_get_info(frame, &info.value) == NEAT_STATUS_OK);
  CHECK(info.value.width_px == 40 && info.value.command_count > 0 && is_whole(info.guard));
  CHECK(neat_frame_get_command(frame, 0, &command.value) == NEAT_STATUS_OK);
  CHECK(strcmp(command.value.layer, "bg") == 0 && is_whole(command.guard));
  CHECK(info.value.buffer_count > 0 && neat_frame_get_buffer(frame, 0, &buffer.value) == NEAT_STATUS_OK);
  CHECK(buffer.value.data != NULL && is_whole(buffer.guard));
  neat_frame_destroy(frame);
}

static void tiles(void) {
  /* One layer "a" without features, of extent 4096. */
  static const uint8_t mvt[] = {0x1a, 0x08, 0x0a, 0x01, 'a', 0x28, 0x80, 0x20, 0x78, 0x02};
  neat_tile *tile = NULL;
  CHECK(neat_tile_decode(mvt, sizeof mvt, NEAT_TILE_FORMAT_MVT, 0, &tile) == NEAT_STATUS_OK);
  GUARDED(neat_tile_layer) layer;
  GUARDED(neat_tile_layer_info) info;
  PREPARE(layer);
  PREPARE(info);
  CHECK(neat_tile_get_layer(tile, 0, &layer.value) == NEAT_STATUS_OK);
  CHECK(layer.value.extent == 4096 && strcmp(layer.value.name, "a") == 0 && is_whole(layer.guard));
  CHECK(neat_tile_get_layer_info(tile, 0, &info.value) == NEAT_STATUS_OK);
  CHECK(info.value.extent == 4096 && is_whole(info.guard));
  neat_tile_destroy(tile);
}

static void lines(void) {
  GUARDED(neat_line_options) options;
  PREPARE(options);
  options.value.cap = NEAT_LINE_CAP_ROUND;
  static const float points[] = {0, 0, 10, 0};
  neat_buffer *vertices = NULL, *indices = NULL;
  CHECK(neat_mesh_line(points, 2, &options.value, &vertices, &indices) == NEAT_STATUS_OK);
  CHECK(neat_buffer_size(vertices) > 4 * sizeof(neat_line_vertex));
  neat_buffer_destroy(vertices);
  neat_buffer_destroy(indices);
}

static int events;

static void on_event(void *context, const neat_event *event) {
  CHECK(context == &events && event->struct_size >= sizeof(neat_event));
  events++;
}

static void map(void) {
  neat_loop *loop = NULL;
  neat_map *map = NULL;
  CHECK(neat_loop_create(&loop) == NEAT_STATUS_OK);
  GUARDED(neat_size) size;
  PREPARE(size);
  size.value.width_px = size.value.height_px = 16;
  CHECK(neat_map_create(loop, &size.value, NULL, on_event, &events, &map) == NEAT_STATUS_OK);
  CHECK(neat_map_set_style(map, STYLE, strlen(STYLE), NULL, 0) == NEAT_STATUS_OK);
  neat_loop_run(loop, 5000);
  CHECK(neat_loop_run_once(loop) == 0);
  GUARDED(neat_camera) camera;
  PREPARE(camera);
  camera.value.zoom = 4;
  CHECK(neat_map_set_camera(map, &camera.value) == NEAT_STATUS_OK);
  camera.value.zoom = 0;
  CHECK(neat_map_camera(map, &camera.value) == NEAT_STATUS_OK);
  CHECK(camera.value.zoom == 4 && camera.value.struct_size == sizeof(neat_camera) && is_whole(camera.guard));
  CHECK(events > 0);
  neat_map_destroy(map);
  neat_loop_destroy(loop);
}

int main(void) {
  CHECK(neat_abi_version() == NEAT_ABI_VERSION);
  neat_renderer *made = renderer();
  draws(made);
  neat_renderer_destroy(made);
  tiles();
  lines();
  map();
  puts("a program of the first header of this ABI version runs");
  return 0;
}
