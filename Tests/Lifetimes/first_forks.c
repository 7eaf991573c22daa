/* Children of a process that has loaded the library, and used it a little, but not drawn: they make all of its
 * tables, and the Swift runtime's, on several threads.
 *
 *   first_forks [CHILDREN]      default 40 */
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

int main(int argc, char **argv) {
  int count = argc > 1 ? atoi(argv[1]) : 40;
  make_style();
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
    int status = 0;
    for (int tick = 0; waitpid(child, &status, WNOHANG) == 0; tick++) {
      if (tick > PATIENCE * 200) {
        fprintf(stderr, "child %d hangs\n", n);
        kill(child, SIGKILL);
        waitpid(child, &status, 0);
        return 1;
      }
      nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    }
    if (status != 0) {
      fprintf(stderr, "child %d: ended with %#x\n", n, (unsigned)status);
      return 1;
    }
  }
  neat_expression_destroy(expression);
  printf("%d children\n", count);
  return 0;
}
