/* Pictures of the styles, cold: the renderer is made, the style loaded and a picture drawn. And a map on a loop,
 * a query and the commands of a frame. */
#include "cases.h"

#include <stdio.h>
#include <string.h>

static char style_path[512];
static neat_renderer *renderer;
static neat_camera camera = {.struct_size = sizeof camera, .use_style = 1};
static const neat_size size = {.struct_size = sizeof size, .width_px = 512, .height_px = 512};

static void prepare(const char *style) {
  snprintf(style_path, sizeof style_path, "%s", path_in(data_folder, style));
}

static neat_status make_renderer(void) {
  neat_options options = {.struct_size = sizeof options, .thread_count = 2};
  if (renderer != NULL) return NEAT_STATUS_OK;
  return neat_renderer_load(style_path, strlen(style_path), &options, &renderer);
}

/* Problems are part of the result: a tile that failed is not a picture without it. */
static neat_status take_problems(uint64_t *digest) {
  neat_buffer *problems = NULL;
  TRY(neat_renderer_problems(renderer, &problems));
  *digest = digest_buffer(*digest, problems);
  return NEAT_STATUS_OK;
}

static neat_status draw(uint64_t *digest) {
  neat_image *image = NULL;
  *digest = 1;
  TRY(make_renderer());
  TRY(neat_renderer_draw(renderer, &camera, &size, 60000, &image));
  *digest = digest_image(*digest, image);
  neat_image_destroy(image);
  return take_problems(digest);
}

/* A picture as a server gives it. */
static neat_status draw_png(uint64_t *digest) {
  neat_image *image = NULL;
  neat_buffer *png = NULL;
  TRY(make_renderer());
  TRY(neat_renderer_draw_tile(renderer, 12, 2177, 1436, 512, 2, 60000, &image));
  neat_status status = neat_image_encode_png(image, NEAT_PNG_MODE_FAST, &png);
  neat_image_destroy(image);
  TRY(status);
  *digest = digest_buffer(1, png);
  return take_problems(digest);
}

static neat_status query(uint64_t *digest) {
  neat_buffer *found = NULL;
  TRY(make_renderer());
  TRY(neat_renderer_query(renderer, &camera, &size, 0, 0, 512, 512, NULL, 0, &found));
  *digest = digest_buffer(1, found);
  return NEAT_STATUS_OK;
}

static neat_status frame(uint64_t *digest) {
  neat_frame *frame = NULL;
  neat_buffer *text = NULL;
  TRY(make_renderer());
  TRY(neat_renderer_frame(renderer, &camera, &size, 60000, &frame));
  neat_status status = neat_frame_report(frame, &text);
  neat_frame_destroy(frame);
  TRY(status);
  *digest = digest_buffer(1, text);
  return NEAT_STATUS_OK;
}

/* A map goes on without what it was refused memory for, and tells it. */
static int is_short;

static void hear(void *context, const neat_event *event) {
  (void)context;
  if (event->type == NEAT_EVENT_MAP_LOADING_ERROR && event->status == NEAT_STATUS_OUT_OF_MEMORY) is_short = 1;
}

static neat_status live(uint64_t *digest) {
  static neat_loop *loop;
  static neat_map *map;
  neat_options options = {.struct_size = sizeof options, .thread_count = 2};
  neat_image *image = NULL;
  if (loop == NULL) TRY(neat_loop_create(&loop));
  if (map == NULL) TRY(neat_map_create(loop, &size, &options, hear, NULL, &map));
  is_short = 0;
  TRY(neat_map_set_fade_duration(map, 0));
  TRY(neat_map_load_style(map, style_path, strlen(style_path)));
  while (neat_loop_run(loop, 1000) != 0) {
  }
  TRY(neat_map_draw(map, &image));
  if (is_short) {
    neat_image_destroy(image);
    return NEAT_STATUS_OUT_OF_MEMORY;
  }
  *digest = digest_image(1, image);
  neat_image_destroy(image);
  return NEAT_STATUS_OK;
}

#define STYLE(name) {"draw " name, "styles/" name ".json", prepare, draw}

const fault_case render_cases[] = {
    STYLE("osm-bright"),
    STYLE("positron"),
    STYLE("dark-matter"),
    STYLE("maptiler-basic"),
    STYLE("osm-liberty"),
    STYLE("ofm-liberty"),
    STYLE("ofm-fiord"),
    STYLE("osm-bright-terrain"),
    STYLE("versatiles-colorful"),
    STYLE("demotiles-world"),
    STYLE("earthquake-clusters"),
    STYLE("earthquake-heatmap"),
    {"PNG of a tile", "styles/osm-bright.json", prepare, draw_png},
    {"query", "styles/osm-bright.json", prepare, query},
    {"frame of meshes", "styles/osm-bright-terrain.json", prepare, frame},
    {"live map", "styles/osm-liberty.json", prepare, live},
    {NULL, NULL, NULL, NULL}};
