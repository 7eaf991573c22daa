/* A program of a later header: its structures are longer. Members that this library does not know are refused
 * unless they are zero, and filled with zero. */
#include <neatline.h>
#include <string.h>

#include "check.h"

typedef struct later_size {
  neat_size now;
  uint64_t later;
} later_size;

typedef struct later_camera {
  neat_camera now;
  uint64_t later;
} later_camera;

int main(void) {
  neat_renderer *renderer = NULL;
  neat_image *image = NULL;
  CHECK(neat_renderer_create(STYLE, strlen(STYLE), NULL, 0, NULL, &renderer) == NEAT_STATUS_OK);

  later_size size = {.now = {.struct_size = sizeof size, .width_px = 8, .height_px = 8}};
  CHECK(neat_renderer_draw(renderer, NULL, &size.now, 0, &image) == NEAT_STATUS_OK);
  neat_image_destroy(image);
  size.later = 1;
  CHECK(neat_renderer_draw(renderer, NULL, &size.now, 0, &image) == NEAT_STATUS_UNSUPPORTED && image == NULL);
  CHECK(strstr(neat_last_error(), "neat_size") != NULL);

  /* Sizes that no header had. */
  size.later = 0;
  const uint32_t wrong[] = {0, 1, sizeof(neat_size) - 1, 4097, UINT32_MAX};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    size.now.struct_size = wrong[i];
    CHECK(neat_renderer_draw(renderer, NULL, &size.now, 0, &image) == NEAT_STATUS_INVALID_ARGUMENT);
    CHECK(strstr(neat_last_error(), "struct_size") != NULL);
  }

  neat_loop *loop = NULL;
  neat_map *map = NULL;
  neat_size plain = {.struct_size = sizeof plain, .width_px = 8, .height_px = 8};
  CHECK(
      neat_loop_create(&loop) == NEAT_STATUS_OK
      && neat_map_create(loop, &plain, NULL, NULL, NULL, &map) == NEAT_STATUS_OK);
  later_camera camera = {.now = {.struct_size = sizeof camera}, .later = 77};
  CHECK(
      neat_map_camera(map, &camera.now) == NEAT_STATUS_OK && camera.later == 0
      && camera.now.struct_size == sizeof camera);
  neat_map_destroy(map);
  neat_loop_destroy(loop);
  neat_renderer_destroy(renderer);
  puts("a program of a later header runs");
  return 0;
}
