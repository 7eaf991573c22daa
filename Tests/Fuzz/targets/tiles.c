/* Vector tiles, and archives of them in memory. */
#include "../fuzz.h"

#include <stdlib.h>

static void read_tile(neat_tile *tile) {
  size_t count = neat_tile_layer_count(tile);
  for (size_t index = 0; index < count && index < 8; index++) {
    neat_tile_layer layer = {.struct_size = sizeof layer};
    neat_tile_layer_info info = {.struct_size = sizeof info};
    if (neat_tile_layer_info_at(tile, index, &info) == NEAT_STATUS_OK && info.feature_count < 10000) {
      neat_value *values = calloc(info.feature_count + 1, sizeof *values);
      either(neat_tile_property(tile, index, "name", 4, values, info.feature_count));
      free(values);
    }
    if (neat_tile_layer_at(tile, index, &layer) != NEAT_STATUS_OK) continue;
    for (size_t value = 0; value < layer.value_count && value < 16; value++) {
      neat_value found;
      either(neat_tile_value_at(tile, index, value, &found));
    }
    neat_buffer *indices = NULL, *starts = NULL;
    if (layer.point_count < 5000
        && neat_mesh_triangulate_layer(tile, index, &indices, &starts) == NEAT_STATUS_OK)
      neat_buffer_destroy(indices), neat_buffer_destroy(starts);
  }
  neat_buffer *out = NULL;
  if (below(4) == 0) drop_if(neat_tile_to_json(tile, below(2) ? 3 : -1, 1, 1, &out), &out);
  neat_text_stream *stream = NULL;
  if (below(4) == 0 &&
      neat_tile_stream_json(tile, -1, 0, 0, below(2), below(2) ? 0 : 1 << 16, &stream) == NEAT_STATUS_OK) {
    while (neat_text_stream_next(stream, &out) == NEAT_STATUS_OK && out != NULL) neat_buffer_destroy(out);
    neat_text_stream_destroy(stream);
  }
  if (below(4) == 0) drop_if(neat_tile_encode_mvt(tile, &out), &out);
  if (below(4) == 0) drop_if(neat_tile_faults(tile, &out), &out);
  neat_tile_destroy(tile);
}

static void tile(const uint8_t *data, size_t size) {
  neat_tile *made = NULL;
  if (neat_tile_decode(
          data, size, below(8) ? NEAT_TILE_FORMAT_MVT : NEAT_TILE_FORMAT_AUTO, below(2) != 0, &made)
      == NEAT_STATUS_OK)
    read_tile(made);
}

static void open_tile(const uint8_t *data, size_t size) {
  neat_tile *made = NULL;
  if (neat_tile_open(data, size, NEAT_TILE_FORMAT_MVT, &made) == NEAT_STATUS_OK) read_tile(made);
}

static void mlt(const uint8_t *data, size_t size) {
  neat_tile *made = NULL;
  if (neat_tile_decode(data, size, NEAT_TILE_FORMAT_MLT, 0, &made) == NEAT_STATUS_OK) read_tile(made);
}

static void archive(const uint8_t *data, size_t size) {
  neat_archive *made = NULL;
  neat_buffer *out = NULL;
  if (neat_archive_parse(data, size, &made) != NEAT_STATUS_OK) return;
  drop_if(neat_archive_info(made, &out), &out);
  drop_if(neat_archive_tile(made, 0, 0, 0, &out), &out);
  drop_if(neat_archive_tile(made, 3, 2, 1, &out), &out);
  neat_archive_destroy(made);
}

const target TILE_TARGETS[] = {
    {"tile", tile, {".mvt", ".pbf"}, 1, 0},
    {"open", open_tile, {".mvt", ".pbf"}, 1, 0},
    {"mlt", mlt, {".mlt"}, 1, 0},
    {"archive", archive, {".pmtiles"}, 2, 0},
    {0}};
