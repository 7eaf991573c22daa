/* The version macros of the header, the version of the project and the answer of the library agree. */
#include <neatline.h>
#include <string.h>

#include "check.h"

int main(void) {
  char text[32];
  snprintf(text, sizeof text, "%d.%d.%d", NEAT_VERSION_MAJOR, NEAT_VERSION_MINOR, NEAT_VERSION_PATCH);
  CHECK(strcmp(text, NEAT_VERSION_STRING) == 0);
  CHECK(strcmp(text, PROJECT_VERSION_TEXT) == 0);
  CHECK(strcmp(text, neat_version()) == 0);
  CHECK(neat_abi_version() == NEAT_ABI_VERSION);
  puts(text);
  return 0;
}
