/* Layers and sources of a host's own: every callback in its turn removes what it belongs to, sets another style or
 * destroys the map; and threads give tiles while sources and maps go. */
#define _POSIX_C_SOURCE 200809L
#include "world.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

static const char style[] = "{\"version\":8,\"sources\":{},\"layers\":[{\"id\":\"b\",\"type\":\"background\"}]}";
static const char fill[] = "{\"id\":\"fill\",\"type\":\"fill\",\"source\":\"own\"}";
static const char point[] = "{\"type\":\"Point\",\"coordinates\":[0,0]}";

enum { NOTHING, REMOVE, RESTYLE, DESTROY, ACTION_COUNT };

typedef struct {
  neat_map *map;
  int action;
  /* The call at which it is done, and those that came. */
  int place, count;
  int initialized, deinitialized, released, rendered, is_over;
} stage;

static void act(stage *at) {
  /* Nothing is called when the map has gone. */
  CHECK(!at->is_over);
  if (at->count++ != at->place || at->map == NULL) return;
  neat_map *map = at->map;
  switch (at->action) {
    case REMOVE:
      if (neat_map_remove_layer(map, "own", 3) != NEAT_STATUS_OK) CHECK(strstr(neat_last_error(), "layer"));
      if (neat_map_remove_layer(map, "fill", 4) != NEAT_STATUS_OK) CHECK(strstr(neat_last_error(), "layer"));
      if (neat_map_remove_source(map, "own", 3) != NEAT_STATUS_OK) CHECK(strstr(neat_last_error(), "source"));
      break;
    case RESTYLE: OK(neat_map_set_style(map, style, sizeof style - 1, NULL, 0)); break;
    case DESTROY:
      at->map = NULL;
      neat_map_destroy(map);
      at->is_over = 1;
      break;
  }
}

static neat_status initialize(void *context, char *message, size_t size) {
  stage *at = context;
  CHECK(message[0] == 0 && message[size - 1] == 0 && at->initialized++ == 0);
  act(at);
  return NEAT_STATUS_OK;
}

static neat_status render(void *context, const neat_custom_view *view, char *message, size_t size) {
  stage *at = context;
  CHECK(at->initialized == 1 && at->deinitialized == 0 && view->width_px == 16);
  at->rendered++;
  act(at);
  /* All of it, without an end. */
  memset(message, 'x', size);
  return at->rendered == 1 ? NEAT_STATUS_IO : NEAT_STATUS_OK;
}

static void deinitialize(void *context) {
  stage *at = context;
  CHECK(at->initialized == 1 && at->deinitialized++ == 0);
  act(at);
}

static void released(void *context) {
  stage *at = context;
  CHECK(at->deinitialized == at->initialized && at->released++ < 2);
  act(at);
}

static void fetch(void *context, uint64_t source, uint32_t z, uint32_t x, uint32_t y) {
  OK(neat_set_custom_geometry_tile_data(source, z, x, y, point, sizeof point - 1));
  act(context);
}

static void cancel(void *context, uint64_t source, uint32_t z, uint32_t x, uint32_t y) {
  (void)source, (void)z, (void)x, (void)y;
  act(context);
}

/* The last call of a source. */
static void left(void *context) { act(context); }

static int run(int action, int place) {
  stage at = {.action = action, .place = place};
  neat_size size = {.struct_size = sizeof size, .width_px = 16, .height_px = 16};
  neat_loop *loop = NULL;
  OK(neat_loop_create(&loop));
  OK(neat_map_create(loop, &size, NULL, NULL, NULL, &at.map));
  OK(neat_map_set_style(at.map, style, sizeof style - 1, NULL, 0));
  neat_custom_layer layer = {
      .struct_size = sizeof layer, .context = &at, .initialize = initialize, .render = render,
      .deinitialize = deinitialize, .destroy = released};
  neat_custom_geometry_source source = {
      .struct_size = sizeof source, .context = &at, .fetch_tile = fetch, .cancel_tile = cancel, .destroy = left};
  OK(neat_map_add_custom_layer(at.map, "own", 3, NULL, 0, &layer));
  OK(neat_map_add_custom_geometry_source(at.map, "own", 3, NULL, 0, &source, NULL));
  OK(neat_map_add_layer(at.map, fill, sizeof fill - 1, NULL, 0));
  neat_loop_run(loop, 30000);
  for (int turn = 0; turn < 3 && at.map != NULL; turn++) {
    neat_image *image = NULL;
    neat_frame *frame = NULL;
    neat_status status = neat_map_draw(at.map, &image);
    CHECK(status == NEAT_STATUS_OK || at.map == NULL);
    neat_image_destroy(image);
    if (at.map == NULL) break;
    status = neat_map_frame(at.map, &frame);
    CHECK(status == NEAT_STATUS_OK || at.map == NULL);
    neat_frame_destroy(frame);
    if (at.map != NULL) (void)!neat_map_invalidate_custom_geometry_tile(at.map, "own", 3, 0, 0, 0);
    neat_loop_run(loop, 30000);
  }
  if (at.map != NULL) {
    neat_map *map = at.map;
    at.map = NULL;
    neat_map_destroy(map);
    at.is_over = 1;
  }
  for (int turn = 0; turn < 50; turn++) neat_loop_poll(loop);
  CHECK(at.released == 1 && at.deinitialized == at.initialized);
  neat_loop_destroy(loop);
  return at.count;
}

/* ---------------------------------------------------------------- threads */

enum { THREADS = 3, ROUNDS = 60 };
static _Atomic uint64_t number;
static atomic_int is_over, given, refused;

static void wanted(void *context, uint64_t source, uint32_t z, uint32_t x, uint32_t y) {
  (void)context, (void)z, (void)x, (void)y;
  atomic_store(&number, source);
}

static void *give(void *unused) {
  (void)unused;
  while (!atomic_load(&is_over)) {
    neat_status status = neat_set_custom_geometry_tile_data(
        atomic_load(&number), 0, 0, 0, point, sizeof point - 1);
    CHECK(status == NEAT_STATUS_OK || status == NEAT_STATUS_NOT_FOUND || status == NEAT_STATUS_LIMIT_EXCEEDED);
    atomic_fetch_add(status == NEAT_STATUS_OK ? &given : &refused, 1);
    nanosleep(&(struct timespec){.tv_nsec = 20000}, NULL);
  }
  return NULL;
}

static void race(void) {
  pthread_t threads[THREADS];
  neat_loop *loop = NULL;
  OK(neat_loop_create(&loop));
  for (int i = 0; i < THREADS; i++) CHECK(pthread_create(&threads[i], NULL, give, NULL) == 0);
  for (int round = 0; round < ROUNDS; round++) {
    neat_size size = {.struct_size = sizeof size, .width_px = 16, .height_px = 16};
    neat_custom_geometry_source source = {.struct_size = sizeof source, .fetch_tile = wanted};
    neat_map *map = NULL;
    OK(neat_map_create(loop, &size, NULL, NULL, NULL, &map));
    OK(neat_map_set_style(map, style, sizeof style - 1, NULL, 0));
    OK(neat_map_add_custom_geometry_source(map, "own", 3, NULL, 0, &source, NULL));
    OK(neat_map_add_layer(map, fill, sizeof fill - 1, NULL, 0));
    for (int turn = 0; turn < 20; turn++) neat_loop_poll(loop);
    if (round % 2) {
      OK(neat_map_remove_layer(map, "fill", 4));
      OK(neat_map_remove_source(map, "own", 3));
    }
    neat_map_destroy(map);
  }
  neat_loop_destroy(loop);
  atomic_store(&is_over, 1);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  CHECK(given > 0 && refused > 0);
}

int main(void) {
  int count = run(NOTHING, 0);
  CHECK(count > 8);
  for (int action = REMOVE; action < ACTION_COUNT; action++) {
    for (int place = 0; place < count; place++) run(action, place);
  }
  printf("%d calls, each with a host that ends its layer, its style or its map\n", count);
  race();
  printf("%d tiles of %d threads taken, %d refused\n", given, THREADS, refused);
  return 0;
}
