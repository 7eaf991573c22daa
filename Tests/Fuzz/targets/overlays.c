/* Overlays: read, measured, and drawn over a style. */
#include "../fuzz.h"

#include <stdlib.h>

static void overlay(const uint8_t *data, size_t size) {
  static neat_renderer *renderer;
  neat_overlay *made = NULL;
  neat_image *drawn = NULL;
  if (!renderer) {
    neat_options options = {
        .struct_size = sizeof options,
        .thread_count = 1,
        .local_files = NEAT_LOCAL_FILES_DENY,
        .no_system_fonts = 1,
        .timeout_ms = 200,
        .retry_count = NEAT_NO_RETRIES};
    if (neat_renderer_create(STYLE, STYLE_SIZE, NULL, 0, &options, &renderer)) abort();
  }
  if (neat_overlay_create((const char *)data, size, &made) != NEAT_STATUS_OK) return;
  double box[4];
  either(neat_overlay_bounds(made, box, box + 1, box + 2, box + 3));
  if (below(16) == 0) {
    neat_camera camera = {.struct_size = sizeof camera, .zoom = (double)below(9)};
    neat_size view = {.struct_size = sizeof view, .width_px = 24, .height_px = 16, .pixel_ratio = 1};
    neat_picture_options options = {.struct_size = sizeof options, .deadline_ms = 500, .overlay = made};
    if (neat_renderer_draw_with(renderer, &camera, &view, &options, &drawn) == NEAT_STATUS_OK)
      neat_image_destroy(drawn);
  }
  neat_overlay_destroy(made);
}

const target OVERLAY_TARGETS[] = {{"overlay", overlay, {NULL}, 8, 0}, {0}};
