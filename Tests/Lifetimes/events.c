/* What events carry, who waits for styles, and memory that is given back. */
#include "world.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

static const char plain[] = "{\"version\":8,\"sources\":{},\"layers\":[{\"id\":\"b\",\"type\":\"background\"}]}";
static const neat_size size = {.struct_size = sizeof size, .width_px = 64, .height_px = 64};
static const neat_options options = {
    .struct_size = sizeof options, .thread_count = 1, .retry_count = NEAT_NO_RETRIES};

typedef struct {
  neat_map *map;
  const char *style;
  /* The event at which something is done: 1 sets another style, 2 destroys the map. */
  int place, action;
  int count, requests, tiles, errors, style_loaded;
  int64_t last_end;
  /* What was told of the first style, and of the one set later. */
  int told[2];
  neat_status status[2];
} stage;

static void ended(stage *at, int which, neat_status status, const char *message) {
  CHECK(message != NULL && (status == NEAT_STATUS_OK) == (message[0] == 0));
  at->told[which]++;
  at->status[which] = status;
}
static void first_ended(void *context, neat_status status, const char *message) {
  ended(context, 0, status, message);
}
static void second_ended(void *context, neat_status status, const char *message) {
  ended(context, 1, status, message);
}

static void heard(void *context, const neat_event *event) {
  stage *at = context;
  CHECK(event->struct_size == sizeof(neat_event));
  CHECK(event->subject && event->message && event->kind && event->source && event->etag);
  CHECK(event->began_us > 1600000000000000 && event->began_us <= event->ended_us);
  CHECK(event->ended_us <= ((int64_t)time(NULL) + 2) * 1000000);
  if (event->type == NEAT_EVENT_STYLE_LOADED) {
    at->style_loaded++;
    CHECK(at->tiles == 0);
  }
  if (event->type == NEAT_EVENT_RESOURCE_REQUEST) {
    at->requests++;
    at->tiles += strcmp(event->kind, "tile") == 0;
    CHECK(strcmp(event->kind, "tile") != 0 || (event->has_tile && event->source[0] != 0));
    CHECK(event->is_cancelled == (event->status == NEAT_STATUS_CANCELLED));
    CHECK((event->status == NEAT_STATUS_OK) == (event->message[0] == 0));
    CHECK(event->status != NEAT_STATUS_OK || event->origin != NEAT_REQUEST_ORIGIN_NONE);
    CHECK(event->is_final && event->priority == NEAT_REQUEST_PRIORITY_VIEW);
  }
  if (event->type == NEAT_EVENT_MAP_LOADING_ERROR) {
    at->errors++;
    CHECK(event->status != NEAT_STATUS_OK && event->message[0] != 0 && event->kind[0] != 0);
  }
  if (at->count++ != at->place) return;
  if (at->action == 1) {
    at->tiles = 0;
    neat_status status = neat_map_set_style_then(at->map, plain, strlen(plain), NULL, 0, second_ended, at);
    CHECK(status == NEAT_STATUS_OK);
  } else if (at->action == 2) {
    neat_map_destroy(at->map);
    at->map = NULL;
  }
}

/* Runs a style by address to its end, with something done at one of its events; the number of events. */
static int run(const char *style, int action, int place) {
  stage *at = calloc(1, sizeof *at);
  at->action = action;
  at->place = place;
  at->style = style;
  neat_loop *loop = NULL;
  OK(neat_loop_create(&loop));
  OK(neat_map_create(loop, &size, &options, heard, at, &at->map));
  neat_map *map = at->map;
  OK(neat_map_load_style_then(map, style, strlen(style), first_ended, at));
  CHECK(at->told[0] == 0);
  while (neat_loop_run(loop, 5000)) {
  }
  CHECK(at->told[0] == 1 && at->told[1] == (action == 1));
  if (action == 1) CHECK(at->status[1] == NEAT_STATUS_OK && neat_map_is_loaded(at->map));
  if (action == 2) CHECK(at->map == NULL && at->count == place + 1);
  CHECK(at->status[0] == NEAT_STATUS_OK || (action && at->status[0] == NEAT_STATUS_CANCELLED));
  if (!action) CHECK(at->requests > 2 && at->tiles > 0 && at->errors == 0 && at->style_loaded == 1);
  int count = at->count;
  neat_map_destroy(at->map);
  neat_loop_destroy(loop);
  memset(at, 0xDD, sizeof *at);
  free(at);
  return count;
}

/* Completions that are told within a call, and those that are never told. */
static void completions(void) {
  stage at = {.place = -1};
  neat_loop *loop = NULL;
  OK(neat_loop_create(&loop));
  OK(neat_map_create(loop, &size, &options, heard, &at, &at.map));
  OK(neat_map_load_style_then(at.map, "/nowhere", 8, first_ended, &at));
  CHECK(neat_map_set_style_then(at.map, "{", 1, NULL, 0, second_ended, &at) == NEAT_STATUS_JSON);
  CHECK(neat_map_set_style_then(at.map, NULL, 4, NULL, 0, second_ended, &at) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_map_load_style_then(NULL, "a", 1, second_ended, &at) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(at.told[0] == 0 && at.told[1] == 0);
  OK(neat_map_load_style_then(at.map, "/nowhere", 8, second_ended, &at));
  CHECK(at.told[0] == 1 && at.status[0] == NEAT_STATUS_CANCELLED);
  neat_loop_run(loop, 5000);
  CHECK(at.told[1] == 1 && at.status[1] == NEAT_STATUS_NOT_FOUND && at.errors == 1);
  OK(neat_map_set_style_then(at.map, plain, strlen(plain), NULL, 0, first_ended, &at));
  neat_map_destroy(at.map);
  CHECK(at.told[0] == 2 && at.status[0] == NEAT_STATUS_CANCELLED);
  neat_loop_destroy(loop);
}

static unsigned long drawn(neat_map *map) {
  neat_image *image = NULL;
  OK(neat_map_draw(map, &image));
  unsigned long hash = world_hash(image);
  neat_image_destroy(image);
  return hash;
}

static long resident(void) {
  long pages = 0, total = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (file == NULL || fscanf(file, "%ld %ld", &total, &pages) != 2) pages = 0;
  if (file != NULL) fclose(file);
  return pages * sysconf(_SC_PAGESIZE);
}

/* Many views, then one: what the others needed is given back, the picture stays. */
static void memory(void) {
  neat_loop *loop = NULL;
  neat_map *map = NULL;
  neat_size large = {.struct_size = sizeof large, .width_px = 512, .height_px = 512};
  OK(neat_loop_create(&loop));
  OK(neat_map_create(loop, &large, &options, NULL, NULL, &map));
  const char *style = world_style_of_files();
  OK(neat_map_set_style(map, style, strlen(style), NULL, 0));
  for (int view = 0; view < 60; view++) {
    neat_camera camera = {
        .struct_size = sizeof camera, .zoom = view < 59 ? 3 + view % 5 : 1, .lon_deg = view * 5 - 150};
    OK(neat_map_set_camera(map, &camera));
    while (neat_loop_run(loop, 5000)) {
    }
    drawn(map);
  }
  unsigned long before = drawn(map);
  long bytes = resident();
  OK(neat_map_reduce_memory_use(map));
  long left = resident();
  CHECK(drawn(map) == before);
  /* valgrind keeps what is freed for a while. */
  const char *preloaded = getenv("LD_PRELOAD");
  CHECK(bytes == 0 || left < bytes || (preloaded != NULL && strstr(preloaded, "vgpreload") != NULL));
  printf("%.1f MB before, %.1f MB after memory was given back\n", bytes / 1e6, left / 1e6);
  neat_map_destroy(map);
  neat_loop_destroy(loop);

  neat_renderer *renderer = world_renderer(style);
  neat_image *image = world_draw(renderer);
  before = world_hash(image);
  neat_image_destroy(image);
  OK(neat_renderer_reduce_memory_use(renderer));
  image = world_draw(renderer);
  CHECK(world_hash(image) == before);
  neat_image_destroy(image);
  neat_renderer_destroy(renderer);
  CHECK(neat_map_reduce_memory_use(NULL) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_renderer_reduce_memory_use(NULL) == NEAT_STATUS_INVALID_ARGUMENT);
}

int main(void) {
  world_begin();
  FILE *file = fopen(world_path("style.json"), "w");
  CHECK(file != NULL && fputs(world_style(), file) >= 0 && fclose(file) == 0);
  char style[256];
  snprintf(style, sizeof style, "%s", world_path("style.json"));
  int count = run(style, 0, -1);
  CHECK(count > 10);
  for (int place = 0; place < count; place++) {
    run(style, 1, place);
    run(style, 2, place);
  }
  completions();
  memory();
  printf("%d events, each with a handler that sets another style and one that destroys its map\n", count);
  return 0;
}
