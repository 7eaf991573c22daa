/* Glyph ranges, font files, and requests for shaping. */
#include "../fuzz.h"

#include <stdlib.h>

static void glyphs(const uint8_t *data, size_t size) {
  neat_fonts *fonts = NULL;
  neat_buffer *out = NULL;
  if (neat_fonts_create(&fonts) != NEAT_STATUS_OK) abort();
  static const char request[] = "{\"sections\":[{\"text\":\"Abc\",\"fontStack\":\"F\"}],\"maxWidth\":100}";
  drop_if(neat_fonts_add_range(fonts, "F", 1, data, size) == NEAT_STATUS_OK
      && neat_fonts_shape(fonts, request, sizeof request - 1, &out), &out);
  neat_fonts_destroy(fonts);
}

static void font(const uint8_t *data, size_t size) {
  neat_fonts *fonts = NULL;
  neat_buffer *out = NULL;
  if (neat_fonts_create(&fonts) != NEAT_STATUS_OK) abort();
  static const char request[] = "{\"sections\":[{\"text\":\"Ab\",\"fontStack\":\"F\"}],\"maxWidth\":100}";
  drop_if(neat_fonts_add_file(fonts, data, size) == NEAT_STATUS_OK
      && neat_fonts_shape(fonts, request, sizeof request - 1, &out), &out);
  neat_fonts_destroy(fonts);
}

/* The range that a server gives of a font file: glyphs of 256 characters are drawn. */
static void range(const uint8_t *data, size_t size) {
  static const uint32_t firsts[] = {0, 0, 0, 256, 768, 8192, 65280, 0x1F600, 255, 0x110000};
  neat_fonts *fonts = NULL;
  neat_buffer *out = NULL;
  if (neat_fonts_create(&fonts)) abort();
  if (neat_fonts_add_file(fonts, data, size) == NEAT_STATUS_OK) {
    drop_if(neat_fonts_range(fonts, "F", 1, firsts[below(10)], &out), &out);
    drop_if(neat_fonts_names(fonts, &out), &out);
  }
  neat_fonts_destroy(fonts);
}

static void shape(const uint8_t *data, size_t size) {
  static neat_fonts *fonts;
  neat_buffer *out = NULL;
  if (!fonts && neat_fonts_create(&fonts) != NEAT_STATUS_OK) abort();
  drop_if(neat_fonts_shape(fonts, (const char *)data, size, &out), &out);
}

const target TEXT_TARGETS[] = {
    {"glyphs", glyphs, {".pbf"}, 10, 0},
    {"font", font, {".ttf", ".otf"}, 20, 0},
    {"range", range, {".ttf", ".otf"}, 200, 0},
    {"shape", shape, {NULL}, 4, 0},
    {0}};
