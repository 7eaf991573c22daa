/* libcurl and the two dozen libraries that it brings are loaded when a server is first asked, and not by pictures
 * that come from files. */
#include "world.h"

#include <string.h>

/* Whether a library of this name is in the process. */
static int is_loaded(const char *name) {
  FILE *maps = fopen("/proc/self/maps", "r");
  CHECK(maps != NULL);
  char line[4096];
  int found = 0;
  while (fgets(line, sizeof line, maps)) found |= strstr(line, name) != NULL;
  fclose(maps);
  return found;
}

static void draw(const char *style) {
  neat_renderer *renderer = world_renderer(style);
  neat_image_destroy(world_draw(renderer));
  neat_renderer_destroy(renderer);
}

int main(void) {
  world_begin();
  CHECK(is_loaded("libneatline"));
  CHECK(!is_loaded("libcurl"));
  draw(world_style_of_files());
  CHECK(!is_loaded("libcurl"));
  draw(world_style());
  CHECK(is_loaded("libcurl"));
  puts("libcurl came with the first request to a server");
  return 0;
}
