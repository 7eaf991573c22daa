/* Images, and tracks of positions. */
#include "../fuzz.h"

#include <stdlib.h>
#include <string.h>

static void image(const uint8_t *data, size_t size) {
  neat_image *made = NULL;
  if (neat_image_decode(data, size, &made) == NEAT_STATUS_OK) neat_image_destroy(made);
}

static void track(const uint8_t *data, size_t size) {
  static const char *const formats[] = {"", "gpx", "nmea"};
  for (size_t each = 0; each < 3; each++) {
    neat_track *made;
    if (neat_track_create(data, size, formats[each], strlen(formats[each]), &made)) continue;
    neat_buffer *info = NULL;
    either(neat_track_info(made, &info));
    neat_buffer_destroy(info);
    size_t count = neat_track_count(made);
    for (size_t index = 0; index < count; index += 1 + count / 8) {
      neat_location location = {.struct_size = sizeof location};
      double time;
      either(neat_track_location(made, index, &location, &time));
    }
    neat_track_destroy(made);
  }
}

/* An image has at most 2^26 pixels of 4 bytes. A decoder holds them once more while it turns what a file has
   into straight RGBA. */
enum { IMAGE_BYTES = (2 * 256 + 64) << 20 };

const target IMAGE_TARGETS[] = {
    {"image", image, {".png", ".jpg", ".webp"}, 10, IMAGE_BYTES},
    {"image-large", image, {NULL}, 5000, IMAGE_BYTES},
    {"track", track, {".gpx", ".nmea"}, 2, 0},
    {0}};
