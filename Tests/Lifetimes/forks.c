/* Forks a process that has drawn over HTTP and out of SQLite, with its threads waiting: what child and parent
 * can do then.
 *
 *   forks [ROUNDS]      children a case, default 20 */
#define _GNU_SOURCE
#include "world.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Seconds for one child: far above what it needs. */
enum { PATIENCE = 20 };

static neat_renderer *renderer;
static neat_archive *archive;
static char archive_path[128];
static neat_loop *loop;
static neat_map *map;
static neat_archive_writer *writers[2];
static unsigned long picture;

static void draws(void) {
  neat_image *image = world_draw(renderer);
  CHECK(world_hash(image) == picture);
  neat_image_destroy(image);
}

static void reads(void) {
  neat_buffer *tile = NULL;
  OK(neat_archive_tile(archive, 0, 0, 0, &tile));
  neat_buffer_destroy(tile);
}

static void belongs_to_the_parent(void) {
  neat_camera camera = {.struct_size = sizeof camera};
  neat_size size = {.struct_size = sizeof size, .width_px = 64, .height_px = 64};
  neat_image *image = NULL;
  neat_map *another = NULL;
  CHECK(neat_map_set_camera(map, &camera) == NEAT_STATUS_STATE);
  CHECK(strstr(neat_last_error(), "forked") != NULL);
  CHECK(neat_map_draw(map, &image) == NEAT_STATUS_STATE && image == NULL);
  CHECK(neat_map_is_loaded(map) == 0);
  CHECK(neat_map_create(loop, &size, NULL, NULL, NULL, &another) == NEAT_STATUS_STATE && another == NULL);
  CHECK(neat_loop_run(loop, 0) == 0);
  CHECK(neat_loop_poll(loop) == 0);
  CHECK(neat_loop_backend_fd(loop) == -1);
  neat_loop_wake(loop);
  for (int n = 0; n < 2; n++) {
    CHECK(neat_archive_writer_add(writers[n], 1, 0, 0, (const uint8_t *)"tile", 4) == NEAT_STATUS_STATE);
    CHECK(neat_archive_writer_finish(writers[n], NULL, 0) == NEAT_STATUS_STATE);
  }
}

/* Things of its own. */
static void begins_anew(void) {
  neat_loop *loop = NULL;
  neat_map *map = NULL;
  neat_image *image = NULL;
  neat_size size = {.struct_size = sizeof size, .width_px = 128, .height_px = 128};
  neat_camera camera = {.struct_size = sizeof camera, .zoom = -1};
  OK(neat_loop_create(&loop));
  OK(neat_map_create(loop, &size, NULL, NULL, NULL, &map));
  OK(neat_map_set_style(map, world_style(), strlen(world_style()), NULL, 0));
  OK(neat_map_set_camera(map, &camera));
  neat_loop_run(loop, 5000);
  CHECK(neat_map_is_loaded(map));
  OK(neat_map_draw(map, &image));
  neat_image_destroy(image);
  neat_map_destroy(map);
  neat_loop_destroy(loop);
}

static void destroy_all(void) {
  for (int n = 0; n < 2; n++) neat_archive_writer_destroy(writers[n]);
  neat_map_destroy(map);
  neat_loop_destroy(loop);
  neat_archive_destroy(archive);
  neat_renderer_destroy(renderer);
}

static void draw_and_destroy(void) {
  draws();
  reads();
  belongs_to_the_parent();
  begins_anew();
  destroy_all();
}

static void *draw_thread(void *unused) {
  (void)unused;
  draws();
  return NULL;
}

static void draw_on_threads(void) {
  pthread_t threads[4];
  for (int n = 0; n < 4; n++) CHECK(pthread_create(&threads[n], NULL, draw_thread, NULL) == 0);
  for (int n = 0; n < 4; n++) pthread_join(threads[n], NULL);
}

/* A child has children. */
static void fork_again(void) {
  draws();
  pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0) {
    draws();
    destroy_all();
    _exit(0);
  }
  int status = 0;
  CHECK(waitpid(child, &status, 0) == child && status == 0);
  draws();
}

/* Runs the body in a child, which ends by exit: what is to be done at the end of a process is done there too.
 */
static void in_child(const char *name, int round, void (*body)(void)) {
  fflush(NULL);
  pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0) {
    body();
    exit(0);
  }
  int status = 0;
  for (int tick = 0; waitpid(child, &status, WNOHANG) == 0; tick++) {
    if (tick > PATIENCE * 200) {
      fprintf(stderr, "%s, child %d: hangs\n", name, round);
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
      exit(1);
    }
    nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
  }
  if (status != 0) {
    fprintf(stderr, "%s, child %d: ended with %#x\n", name, round, (unsigned)status);
    exit(1);
  }
}

static void rounds(const char *name, int count, void (*body)(void)) {
  for (int n = 0; n < count; n++) {
    in_child(name, n, body);
    draws();
    reads();
  }
  printf("%-40s %d children\n", name, count);
  fflush(stdout);
}

static atomic_int is_over;

static void *keep_drawing(void *style) {
  neat_renderer *own = world_renderer(style);
  while (!atomic_load(&is_over)) {
    neat_image_destroy(world_draw(own));
    draws();
  }
  neat_renderer_destroy(own);
  return NULL;
}

/* Opening takes locks of the system's libraries, which a child has to find free. */
static void opens(void) {
  neat_archive *own = NULL;
  neat_buffer *tile = NULL;
  OK(neat_archive_open(archive_path, strlen(archive_path), &own));
  OK(neat_archive_tile(own, 0, 0, 0, &tile));
  neat_buffer_destroy(tile);
  neat_archive_destroy(own);
}

static void *keep_opening(void *unused) {
  (void)unused;
  while (!atomic_load(&is_over)) opens();
  return NULL;
}

static void with_others(const char *name, int count, void (*body)(void), void *(*work[2])(void *), void *given[2]) {
  pthread_t threads[2];
  atomic_store(&is_over, 0);
  for (int n = 0; n < 2; n++) CHECK(pthread_create(&threads[n], NULL, work[n], given[n]) == 0);
  rounds(name, count, body);
  atomic_store(&is_over, 1);
  for (int n = 0; n < 2; n++) pthread_join(threads[n], NULL);
}

int main(int argc, char **argv) {
  int count = argc > 1 ? atoi(argv[1]) : 20;
  world_begin();
  renderer = world_renderer(world_style());
  neat_image *image = world_draw(renderer);
  picture = world_hash(image);
  neat_image_destroy(image);
  snprintf(archive_path, sizeof archive_path, "%s", world_path("world.mbtiles"));
  OK(neat_archive_open(archive_path, strlen(archive_path), &archive));
  OK(neat_loop_create(&loop));
  neat_size size = {.struct_size = sizeof size, .width_px = 128, .height_px = 128};
  OK(neat_map_create(loop, &size, NULL, NULL, NULL, &map));
  OK(neat_map_set_style(map, world_style(), strlen(world_style()), NULL, 0));
  neat_loop_run(loop, 5000);
  CHECK(neat_map_is_loaded(map));
  neat_buffer *tile = world_tile();
  for (int n = 0; n < 2; n++) {
    const char *path = world_path(n == 0 ? "new.mbtiles" : "new.pmtiles");
    OK(neat_archive_writer_create(path, strlen(path), NULL, 0, &writers[n]));
    OK(neat_archive_writer_add(writers[n], 0, 0, 0, neat_buffer_data(tile), neat_buffer_size(tile)));
  }

  rounds("all handles, destroyed", count, draw_and_destroy);
  rounds("left as they are", count, draws);
  rounds("threads of the child", count, draw_on_threads);
  rounds("a child's child", count, fork_again);

  with_others(
      "while others draw", count, draws, (void *(*[])(void *)){keep_drawing, keep_drawing},
      (void *[]){(void *)world_style(), (void *)world_style_of_files()});
  with_others(
      "while others open archives", count, opens, (void *(*[])(void *)){keep_opening, keep_opening},
      (void *[]){NULL, NULL});

  /* The parent goes on with what the children could not touch. */
  OK(neat_map_set_style(map, world_style(), strlen(world_style()), NULL, 0));
  neat_loop_run(loop, 5000);
  CHECK(neat_map_is_loaded(map));
  for (int n = 0; n < 2; n++) {
    OK(neat_archive_writer_add(writers[n], 1, 0, 0, neat_buffer_data(tile), neat_buffer_size(tile)));
    OK(neat_archive_writer_finish(writers[n], NULL, 0));
    neat_archive *written = NULL;
    const char *path = world_path(n == 0 ? "new.mbtiles" : "new.pmtiles");
    neat_buffer *found = NULL;
    OK(neat_archive_open(path, strlen(path), &written));
    OK(neat_archive_tile(written, 1, 0, 0, &found));
    neat_buffer_destroy(found);
    neat_archive_destroy(written);
  }
  neat_buffer_destroy(tile);
  destroy_all();
  return 0;
}
