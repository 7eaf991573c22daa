/* Children of a process that has loaded the library, and used it a little, but not drawn: they make all of its
 * tables, and the Swift runtime's, on several threads. And children of processes that have just made a renderer,
 * whose threads may be about to make some.
 *
 *   first_forks [CHILDREN]      of either kind, default 40
 *   first_forks after DELAY     one of the second kind; microseconds */
#define _GNU_SOURCE
#include "world.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { LAYERS = 96, PATIENCE = 20 };

static char style[64 << 10];

static void make_style(void) {
  static const char *const types[][2] = {
      {"fill", "fill-color"},         {"line", "line-color"},
      {"circle", "circle-color"},     {"symbol", "text-color"},
      {"heatmap", "heatmap-radius"},  {"fill-extrusion", "fill-extrusion-color"},
  };
  char *end = style;
  end += sprintf(
      end, "{\"version\":8,\"sources\":{\"s\":{\"type\":\"geojson\",\"data\":{\"type\":\"Feature\",\"properties\":"
           "{\"kind\":\"a\"},\"geometry\":{\"type\":\"Polygon\",\"coordinates\":[[[0,0],[9,0],[9,9],[0,0]]]}}}},"
           "\"layers\":[");
  for (int n = 0; n < LAYERS; n++) {
    const char *const *type = types[n % 6];
    end += sprintf(
        end, "%s{\"id\":\"%d\",\"type\":\"%s\",\"source\":\"s\",\"filter\":[\"all\",[\"has\",\"kind\"],[\"!=\","
             "[\"get\",\"number\"],%d]],\"paint\":{\"%s\":", n == 0 ? "" : ",", n, type[0], n, type[1]);
    if (n % 6 == 4)
      end += sprintf(end, "[\"interpolate\",[\"linear\"],[\"zoom\"],0,1,9,5]}}");
    else
      end += sprintf(
          end, "[\"match\",[\"get\",\"kind\"],\"a\",\"#f00\",\"b\",[\"to-color\",[\"get\",\"color\"],\"blue\"],"
               "[\"rgb\",%d,0,0]]}}", n);
  }
  sprintf(end, "]}");
}

static void draw(void) {
  neat_options options = {.struct_size = sizeof options, .thread_count = 4};
  neat_renderer *renderer = NULL;
  OK(neat_renderer_create(style, strlen(style), NULL, 0, &options, &renderer));
  neat_image_destroy(world_draw(renderer));
  neat_renderer_destroy(renderer);
}

/* Ends the program where the child does not end well. */
static void wait_for(pid_t child, const char *kind, int number) {
  int status = 0;
  for (int tick = 0; waitpid(child, &status, WNOHANG) == 0; tick++) {
    if (tick > PATIENCE * 200) {
      fprintf(stderr, "%s, child %d hangs\n", kind, number);
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
      exit(1);
    }
    nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
  }
  if (status != 0) {
    fprintf(stderr, "%s, child %d: ended with %#x\n", kind, number, (unsigned)status);
    exit(1);
  }
}

/* Forks while threads of a new renderer look for what they can do. */
static void fork_after(long microseconds) {
  neat_options options = {.struct_size = sizeof options, .thread_count = 4};
  neat_renderer *renderer = NULL;
  OK(neat_renderer_create(style, strlen(style), NULL, 0, &options, &renderer));
  nanosleep(&(struct timespec){.tv_nsec = microseconds * 1000}, NULL);
  pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0) {
    draw();
    _exit(0);
  }
  wait_for(child, "after", (int)microseconds);
  neat_image_destroy(world_draw(renderer));
  neat_renderer_destroy(renderer);
}

int main(int argc, char **argv) {
  make_style();
  if (argc > 2 && strcmp(argv[1], "after") == 0) {
    fork_after(atol(argv[2]));
    return 0;
  }
  int count = argc > 1 ? atoi(argv[1]) : 40;
  neat_expression *expression = NULL;
  const char *sum = "[\"+\",1,2]";
  OK(neat_expression_compile(sum, strlen(sum), NULL, 0, &expression));
  for (int n = 0; n < count; n++) {
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
      draw();
      _exit(0);
    }
    wait_for(child, "first", n);
  }
  for (int n = 0; n < count; n++) {
    pid_t process = fork();
    CHECK(process >= 0);
    if (process == 0) {
      char delay[16];
      snprintf(delay, sizeof delay, "%d", n * 20);
      execv("/proc/self/exe", (char *[]){argv[0], "after", delay, NULL});
      _exit(127);
    }
    wait_for(process, "process", n);
  }
  neat_expression_destroy(expression);
  printf("%d children of each kind\n", count);
  return 0;
}
