/* The log: several threads that write, callbacks that call back, and a child of a fork. */
#define _GNU_SOURCE
#include "world.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char broken[] =
    "{\"version\":8,\"sources\":{\"s\":{\"type\":\"geojson\",\"data\":\"/nowhere/u.geojson\"}},"
    "\"layers\":[{\"id\":\"c\",\"type\":\"circle\",\"source\":\"s\"}]}";

static atomic_int told, other, at_once;

static void count(void *context, const neat_log_message *message) {
  CHECK(atomic_fetch_add(&at_once, 1) == 0);
  CHECK(message->struct_size == sizeof *message && message->time_us > 1600000000000000);
  CHECK(message->level >= NEAT_LOG_DEBUG && message->level <= NEAT_LOG_ERROR);
  CHECK(message->category[0] != 0 && strchr(message->text, '\n') == NULL);
  if (strstr(message->text, "u.geojson") != NULL && message->level == NEAT_LOG_WARNING) {
    CHECK(strcmp(message->category, "source") == 0);
    atomic_fetch_add((atomic_int *)context, 1);
  }
  atomic_fetch_sub(&at_once, 1);
}

static void picture(neat_renderer *renderer) {
  neat_size size = {.struct_size = sizeof size, .width_px = 16, .height_px = 16};
  neat_image *image = NULL;
  OK(neat_renderer_draw(renderer, NULL, &size, 5000, &image));
  neat_image_destroy(image);
}

static void *draw(void *argument) {
  (void)argument;
  for (int i = 0; i < 10; i++) {
    neat_renderer *renderer = world_renderer(broken);
    picture(renderer);
    neat_renderer_destroy(renderer);
  }
  return NULL;
}

/* Calls what locks, draws, and sets the log anew, all from within. */
static void call_back(void *context, const neat_log_message *message) {
  (void)message;
  neat_renderer *renderer = context;
  neat_buffer *problems = NULL;
  OK(neat_renderer_problems(renderer, &problems));
  neat_buffer_destroy(problems);
  OK(neat_renderer_reduce_memory_use(renderer));
  picture(renderer);
  OK(neat_set_log_callback(NEAT_LOG_INFO, count, &other));
}

int main(void) {
  CHECK(neat_set_log_callback(0, count, NULL) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_set_log_callback(5, count, NULL) == NEAT_STATUS_INVALID_ARGUMENT);
  OK(neat_set_log_callback(0, NULL, NULL));
  draw(NULL);
  CHECK(told == 0);

  OK(neat_set_log_callback(NEAT_LOG_DEBUG, count, &told));
  pthread_t threads[4];
  for (int i = 0; i < 4; i++) CHECK(pthread_create(&threads[i], NULL, draw, NULL) == 0);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
  OK(neat_set_log_callback(NEAT_LOG_ERROR, count, &other));
  CHECK(told == 40);
  draw(NULL);
  OK(neat_set_log_callback(0, NULL, NULL));
  CHECK(told == 40 && other == 0);

  /* A callback that calls the library, and is replaced by itself. */
  neat_renderer *renderer = world_renderer(broken);
  OK(neat_set_log_callback(NEAT_LOG_WARNING, call_back, renderer));
  draw(NULL);
  OK(neat_set_log_callback(0, NULL, NULL));
  CHECK(other > 0);
  neat_renderer_destroy(renderer);

  /* A child tells its parent's callback, by a thread of its own. */
  OK(neat_set_log_callback(NEAT_LOG_WARNING, count, &told));
  draw(NULL);
  pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0) {
    alarm(20);
    told = 0;
    draw(NULL);
    if (neat_set_log_callback(0, NULL, NULL)) _exit(1);
    _exit(told == 10 ? 0 : 2);
  }
  int status = 0;
  CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
  OK(neat_set_log_callback(0, NULL, NULL));
  CHECK(told == 50);
  puts("threads write, callbacks call back, children have a log");
  return 0;
}
