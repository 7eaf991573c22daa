/* Handlers of events that destroy their map, or set another style, at every event there is. */
#include "world.h"

#include <string.h>

static const char red[] =
    "{\"version\":8,\"sources\":{\"p\":{\"type\":\"geojson\",\"data\":{\"type\":\"Point\",\"coordinates\":[0,"
    "0]}}},"
    "\"layers\":[{\"id\":\"b\",\"type\":\"background\",\"paint\":{\"background-color\":\"red\"}},"
    "{\"id\":\"c\",\"type\":\"circle\",\"source\":\"p\"}]}";
static const char blue[] =
    "{\"version\":8,\"sources\":{},"
    "\"layers\":[{\"id\":\"b\",\"type\":\"background\",\"paint\":{\"background-color\":\"blue\"}}]}";

enum { NOTHING, DESTROY, RESTYLE };

typedef struct {
  neat_map *map;
  int action;
  /* The event at which it is done, and those that came. */
  int place, count;
  int loaded, errors;
} stage;

static void heard(void *context, const neat_event *event) {
  stage *at = context;
  int is_here = at->count++ == at->place;
  at->loaded += event->type == NEAT_EVENT_MAP_LOADED;
  at->errors += event->type == NEAT_EVENT_MAP_LOADING_ERROR;
  if (!is_here) return;
  if (at->action == DESTROY) {
    neat_map_destroy(at->map);
    at->map = NULL;
  } else if (at->action == RESTYLE) {
    at->loaded = 0;
    OK(neat_map_set_style(at->map, blue, strlen(blue), NULL, 0));
  }
}

/* Runs a map to its end; the number of events that came. */
static int run(int action, int place) {
  stage at = {.action = action, .place = place};
  neat_size size = {.struct_size = sizeof size, .width_px = 16, .height_px = 16};
  neat_options options = {.struct_size = sizeof options, .thread_count = 1};
  neat_loop *loop = NULL;
  OK(neat_loop_create(&loop));
  OK(neat_map_create(loop, &size, &options, heard, &at, &at.map));
  neat_map *map = at.map;
  const char *view = "{\"geometry\":{\"type\":\"Point\",\"coordinates\":[0,0]},\"width\":4,\"height\":4}";
  OK(neat_map_add_view_annotation(map, "v", 1, view, strlen(view), NULL));
  neat_status status = neat_map_set_style(map, red, strlen(red), NULL, 0);
  CHECK(status == NEAT_STATUS_OK || at.map == NULL);
  /* Workers lay out meanwhile; then there is nothing more. */
  CHECK(neat_loop_run(loop, 30000) == 0);
  for (int turn = 0; turn < 200; turn++) neat_loop_poll(loop);
  CHECK(at.errors == 0);
  if (at.map == NULL) {
    CHECK(action == DESTROY && at.count == place + 1);
  } else {
    CHECK(at.loaded == 1 && neat_map_is_loaded(at.map));
    neat_image *image = NULL;
    OK(neat_map_draw(at.map, &image));
    const uint8_t *pixel = neat_image_pixels(image);
    CHECK(pixel[action == RESTYLE ? 2 : 0] == 255);
    neat_image_destroy(image);
  }
  neat_map_destroy(at.map);
  neat_loop_destroy(loop);
  return at.count;
}

int main(void) {
  int count = run(NOTHING, 0);
  CHECK(count > 6);
  for (int place = 0; place < count; place++) {
    run(DESTROY, place);
    run(RESTYLE, place);
  }
  printf("%d events, each with a handler that destroys its map and one that sets another style\n", count);
  return 0;
}
