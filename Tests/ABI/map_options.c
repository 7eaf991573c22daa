/* Options of maps: which way up pictures are, where north is, what is loaded by where nothing is said. */
#include <neatline.h>
#include <math.h>
#include <string.h>

#include "check.h"

#define HALVES                                                                                             \
  "{\"version\":8,\"sources\":{\"s\":{\"type\":\"geojson\",\"data\":{\"type\":\"Polygon\",\"coordinates\":" \
  "[[[-180,0],[180,0],[180,85],[-180,85],[-180,0]]]}}},\"layers\":["                                       \
  "{\"id\":\"b\",\"type\":\"background\",\"paint\":{\"background-color\":\"#00f\"}},"                      \
  "{\"id\":\"n\",\"type\":\"fill\",\"source\":\"s\",\"paint\":{\"fill-color\":\"#f00\"}}]}"

/* Whether a pixel of what the map shows is red: of the north. */
static int is_north(neat_loop *loop, neat_map *map, uint32_t x, uint32_t y) {
  neat_image *image;
  neat_loop_run(loop, 5000);
  CHECK(neat_map_draw(map, &image) == NEAT_STATUS_OK);
  int red = neat_image_pixels(image)[4 * (y * neat_image_width_px(image) + x)] == 255;
  neat_image_destroy(image);
  return red;
}

static void views(void) {
  neat_loop *loop;
  neat_map *map;
  neat_size size = {.struct_size = sizeof size, .width_px = 40, .height_px = 40};
  neat_camera camera = {.struct_size = sizeof camera, .zoom = 2};
  CHECK(neat_loop_create(&loop) == NEAT_STATUS_OK);
  CHECK(neat_map_create(loop, &size, NULL, NULL, NULL, &map) == NEAT_STATUS_OK);
  CHECK(neat_map_set_style(map, HALVES, strlen(HALVES), "", 0) == NEAT_STATUS_OK);
  CHECK(neat_map_set_camera(map, &camera) == NEAT_STATUS_OK);
  CHECK(is_north(loop, map, 20, 5) && !is_north(loop, map, 20, 35));
  CHECK(neat_map_set_viewport_mode(map, NEAT_VIEWPORT_MODE_FLIPPED_Y) == NEAT_STATUS_OK);
  CHECK(!is_north(loop, map, 20, 5) && is_north(loop, map, 20, 35));
  CHECK(neat_map_set_viewport_mode(map, (neat_viewport_mode)2) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_map_set_viewport_mode(map, NEAT_VIEWPORT_MODE_DEFAULT) == NEAT_STATUS_OK);

  CHECK(neat_map_set_orientation(map, NEAT_ORIENTATION_RIGHTWARDS) == NEAT_STATUS_OK);
  CHECK(is_north(loop, map, 35, 20) && !is_north(loop, map, 5, 20));
  CHECK(neat_map_set_orientation(map, (neat_orientation)4) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_map_camera(map, &camera) == NEAT_STATUS_OK);
  CHECK(camera.bearing_deg == 0 && camera.north_deg == 90);
  double place[] = {0, 2}, point[2];
  uint8_t visible;
  CHECK(neat_camera_project(&camera, &size, NEAT_PROJECTION_MERCATOR, place, 1, point, &visible) == NEAT_STATUS_OK);
  CHECK(visible && point[0] > 25 && fabs(point[1] - 20) < 1e-6);
  /* The map's own stays, whatever a camera has. */
  camera.north_deg = 0;
  CHECK(neat_map_set_camera(map, &camera) == NEAT_STATUS_OK && is_north(loop, map, 35, 20));
  camera.north_deg = 1e9;
  CHECK(neat_map_set_camera(map, &camera) == NEAT_STATUS_INVALID_ARGUMENT);
  neat_map_destroy(map);
  neat_loop_destroy(loop);
}

static void options(void) {
  neat_renderer *renderer;
  neat_options options = {.struct_size = sizeof options, .glyphs_rasterization = (neat_glyphs_rasterization)4};
  CHECK(neat_renderer_create(STYLE, strlen(STYLE), "", 0, &options, &renderer) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(strstr(neat_last_error(), "glyphs_rasterization") != NULL);
  options.glyphs_rasterization = NEAT_GLYPHS_RASTERIZATION_ALL;
  options.no_cross_source_collisions = 1;
  options.no_smooth_edges = 1;
  options.no_spread_letters = 1;
  CHECK(neat_renderer_create(STYLE, strlen(STYLE), "", 0, &options, &renderer) == NEAT_STATUS_OK);
  neat_renderer_destroy(renderer);
}

static void resources(void) {
  const char *assets = "asset://map_options_style.json", *wish = "{\"assetPath\": \".\"}";
  neat_resources *resources;
  neat_renderer *renderer;
  FILE *file = fopen("map_options_style.json", "w");
  CHECK(file && fputs(STYLE, file) >= 0 && fclose(file) == 0);
  CHECK(neat_renderer_load(assets, strlen(assets), NULL, &renderer) == NEAT_STATUS_UNSUPPORTED);
  CHECK(neat_resources_create(wish, strlen(wish), &resources) == NEAT_STATUS_OK);
  CHECK(neat_resources_set_default(resources) == NEAT_STATUS_OK);
  neat_resources_destroy(resources);
  CHECK(neat_renderer_load(assets, strlen(assets), NULL, &renderer) == NEAT_STATUS_OK);
  neat_renderer_destroy(renderer);
  CHECK(neat_resources_set_default(NULL) == NEAT_STATUS_OK);
  CHECK(neat_renderer_load(assets, strlen(assets), NULL, &renderer) == NEAT_STATUS_UNSUPPORTED);
  remove("map_options_style.json");
}

int main(void) {
  views();
  options();
  resources();
  return 0;
}
