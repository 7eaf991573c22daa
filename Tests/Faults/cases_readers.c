/* Everything that reads bytes from outside, each with a file of some size. */
#include "cases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static file_bytes input;
static const char *input_path;

static void prepare(const char *name) {
  static char path[512];
  snprintf(path, sizeof path, "%s", path_in(data_folder, name));
  input_path = path;
  input = read_file(path);
}

static neat_status decode_tile(neat_tile_format format, uint64_t *digest) {
  neat_tile *tile = NULL;
  neat_buffer *json = NULL, *mvt = NULL;
  TRY(neat_tile_decode(input.data, input.size, format, 0, &tile));
  neat_status status = neat_tile_to_json(tile, 14, 8299, 5635, &json);
  if (status == NEAT_STATUS_OK) {
    *digest = digest_buffer(1, json);
    status = neat_tile_encode_mvt(tile, &mvt);
  }
  if (status == NEAT_STATUS_OK) *digest = digest_buffer(*digest, mvt);
  neat_tile_destroy(tile);
  return status;
}

static neat_status mvt(uint64_t *digest) { return decode_tile(NEAT_TILE_FORMAT_MVT, digest); }
static neat_status mlt(uint64_t *digest) { return decode_tile(NEAT_TILE_FORMAT_MLT, digest); }

static neat_status open_mvt(uint64_t *digest) {
  neat_tile *tile = NULL;
  neat_status status = NEAT_STATUS_OK;
  *digest = 1;
  TRY(neat_tile_open(input.data, input.size, NEAT_TILE_FORMAT_MVT, &tile));
  for (size_t layer = 0; layer < neat_tile_layer_count(tile) && status == NEAT_STATUS_OK; layer++) {
    neat_tile_layer_info info = {.struct_size = sizeof info};
    neat_buffer *indices = NULL, *starts = NULL;
    status = neat_tile_layer_info_at(tile, layer, &info);
    if (status != NEAT_STATUS_OK) break;
    *digest = digest_bytes(*digest, &info.feature_count, sizeof info.feature_count);
    status = neat_mesh_triangulate_layer(tile, layer, &indices, &starts);
    if (status != NEAT_STATUS_OK) break;
    *digest = digest_buffer(digest_buffer(*digest, indices), starts);
  }
  neat_tile_destroy(tile);
  return status;
}

static neat_status expression_over_layer(uint64_t *digest) {
  static const char text[] = "[\"concat\",[\"get\",\"class\"],\" \",[\"to-string\",[\"id\"]]]";
  static neat_expression *expression;
  neat_tile *tile = NULL;
  neat_status status = NEAT_STATUS_OK;
  if (expression == NULL) TRY(neat_expression_compile(text, sizeof text - 1, NULL, 0, &expression));
  *digest = 1;
  TRY(neat_tile_decode(input.data, input.size, NEAT_TILE_FORMAT_MVT, 0, &tile));
  for (size_t layer = 0; layer < neat_tile_layer_count(tile) && status == NEAT_STATUS_OK; layer++) {
    neat_tile_layer_info info = {.struct_size = sizeof info};
    neat_buffer *values = NULL;
    status = neat_tile_layer_info_at(tile, layer, &info);
    if (status != NEAT_STATUS_OK) break;
    uint32_t *starts = malloc((info.feature_count + 1) * sizeof *starts);
    if (starts == NULL) status = NEAT_STATUS_OUT_OF_MEMORY;
    else
      status = neat_expression_evaluate_layer_strings(
          expression, tile, layer, 14, starts, info.feature_count + 1, &values);
    if (status == NEAT_STATUS_OK) *digest = digest_buffer(*digest, values);
    free(starts);
  }
  neat_tile_destroy(tile);
  return status;
}

static neat_status parse_archive(uint64_t *digest) {
  neat_archive *archive = NULL;
  neat_buffer *tile = NULL, *info = NULL;
  TRY(neat_archive_parse(input.data, input.size, &archive));
  neat_status status = neat_archive_info(archive, &info);
  if (status == NEAT_STATUS_OK) {
    *digest = digest_buffer(1, info);
    status = neat_archive_tile(archive, 3, 4, 2, &tile);
  }
  if (status == NEAT_STATUS_OK) *digest = digest_buffer(*digest, tile);
  neat_archive_destroy(archive);
  return status;
}

static neat_status open_archive(uint64_t *digest) {
  static neat_archive *archive;
  neat_buffer *info = NULL;
  if (archive == NULL) TRY(neat_archive_open(input_path, strlen(input_path), &archive));
  TRY(neat_archive_info(archive, &info));
  *digest = digest_buffer(1, info);
  static const uint32_t tiles[3][3] = {{0, 0, 0}, {10, 544, 359}, {14, 8710, 5744}};
  for (int n = 0; n < 3; n++) {
    neat_buffer *tile = NULL;
    neat_status status = neat_archive_tile(archive, tiles[n][0], tiles[n][1], tiles[n][2], &tile);
    if (status == NEAT_STATUS_NOT_FOUND) continue;
    TRY(status);
    *digest = digest_buffer(*digest, tile);
  }
  return NEAT_STATUS_OK;
}

static neat_status use_geojson(neat_geojson *geojson, uint64_t *digest) {
  neat_tile *tile = NULL;
  neat_buffer *out = NULL;
  *digest = 1;
  neat_status status = neat_geojson_tile(geojson, 5, 16, 11, &tile);
  if (status == NEAT_STATUS_OK) {
    status = neat_tile_encode_mvt(tile, &out);
    neat_tile_destroy(tile);
    TRY(status);
    *digest = digest_buffer(1, out);
  } else if (status != NEAT_STATUS_NOT_FOUND) {
    return status;
  }
  status = neat_geojson_clusters(geojson, -180, -85, 180, 85, 2, &out);
  if (status == NEAT_STATUS_STATE) return NEAT_STATUS_OK;
  TRY(status);
  *digest = digest_buffer(*digest, out);
  return NEAT_STATUS_OK;
}

static neat_status geojson(uint64_t *digest) {
  static neat_geojson *made;
  if (made == NULL)
    TRY(neat_geojson_parse((const char *)input.data, input.size, NULL, 0, &made));
  return use_geojson(made, digest);
}

static neat_status clustered_geojson(uint64_t *digest) {
  static const char options[] = "{\"cluster\":true,\"clusterProperties\":{\"m\":[\"max\",[\"get\",\"mag\"]]}}";
  static neat_geojson *made;
  if (made == NULL)
    TRY(neat_geojson_parse((const char *)input.data, input.size, options, sizeof options - 1, &made));
  return use_geojson(made, digest);
}

static neat_status geojson_in_pieces(uint64_t *digest) {
  neat_geojson_reader *reader = NULL;
  neat_geojson *made = NULL;
  TRY(neat_geojson_reader_create(NULL, 0, &reader));
  neat_status status = NEAT_STATUS_OK;
  for (size_t at = 0; at < input.size && status == NEAT_STATUS_OK; at += 100000) {
    size_t piece = input.size - at < 100000 ? input.size - at : 100000;
    status = neat_geojson_reader_append(reader, (const char *)input.data + at, piece);
  }
  if (status == NEAT_STATUS_OK) status = neat_geojson_reader_finish(reader, &made);
  neat_geojson_reader_destroy(reader);
  TRY(status);
  status = use_geojson(made, digest);
  neat_geojson_destroy(made);
  return status;
}

static neat_status image(uint64_t *digest) {
  neat_image *made = NULL;
  TRY(neat_image_decode(input.data, input.size, &made));
  *digest = digest_image(1, made);
  neat_status status = NEAT_STATUS_OK;
  static const neat_image_format formats[] = {
      NEAT_IMAGE_FORMAT_PNG, NEAT_IMAGE_FORMAT_JPEG, NEAT_IMAGE_FORMAT_WEBP};
  for (int n = 0; n < 3 && status == NEAT_STATUS_OK; n++) {
    neat_buffer *file = NULL;
    status = neat_image_encode(made, formats[n], n == 0 ? 0 : 80, &file);
    if (status == NEAT_STATUS_OK) *digest = digest_buffer(*digest, file);
  }
  if (status == NEAT_STATUS_OK) {
    neat_buffer *small = NULL;
    status = neat_image_encode_png(made, NEAT_PNG_MODE_SMALL, &small);
    if (status == NEAT_STATUS_OK) *digest = digest_buffer(*digest, small);
  }
  neat_image_destroy(made);
  return status;
}

/* The same of a JPEG and a WebP, which are made of a sprite first. */
static void prepare_encoded(neat_image_format format) {
  neat_image *made = NULL;
  neat_buffer *file = NULL;
  prepare("sprites/osm-liberty/sprite@2x.png");
  if (neat_image_decode(input.data, input.size, &made) != NEAT_STATUS_OK
      || neat_image_encode(made, format, 90, &file) != NEAT_STATUS_OK) {
    fprintf(stderr, "%s\n", neat_last_error());
    exit(98);
  }
  free(input.data);
  input.size = neat_buffer_size(file);
  input.data = malloc(input.size);
  memcpy(input.data, neat_buffer_data(file), input.size);
  neat_buffer_destroy(file);
  neat_image_destroy(made);
}

static void prepare_jpeg(const char *unused) { (void)unused, prepare_encoded(NEAT_IMAGE_FORMAT_JPEG); }
static void prepare_webp(const char *unused) { (void)unused, prepare_encoded(NEAT_IMAGE_FORMAT_WEBP); }

static neat_status decode_image(uint64_t *digest) {
  neat_image *made = NULL;
  TRY(neat_image_decode(input.data, input.size, &made));
  *digest = digest_image(1, made);
  neat_image_destroy(made);
  return NEAT_STATUS_OK;
}

static const char shape_request[] =
    "{\"sections\":[{\"text\":\"Innsbruck \xd0\x90\xd0\xb1\xd0\xb2\",\"fontStack\":\"F\"}],\"maxWidth\":100}";

static neat_status use_fonts(neat_fonts *fonts, uint64_t *digest) {
  neat_buffer *out = NULL;
  TRY(neat_fonts_shape(fonts, shape_request, sizeof shape_request - 1, &out));
  *digest = digest_buffer(*digest, out);
  TRY(neat_fonts_range(fonts, "F", 1, 0, &out));
  *digest = digest_buffer(*digest, out);
  return NEAT_STATUS_OK;
}

static neat_status font_file(uint64_t *digest) {
  static neat_fonts *fonts;
  static int has_file;
  *digest = 1;
  if (fonts == NULL) TRY(neat_fonts_create(&fonts));
  if (!has_file) TRY(neat_fonts_add_file(fonts, input.data, input.size));
  has_file = 1;
  return use_fonts(fonts, digest);
}

static neat_status glyph_range(uint64_t *digest) {
  static neat_fonts *fonts;
  *digest = 1;
  if (fonts == NULL) TRY(neat_fonts_create(&fonts));
  TRY(neat_fonts_add_range(fonts, "F", 1, input.data, input.size));
  return use_fonts(fonts, digest);
}

static neat_status style_document(uint64_t *digest) {
  static const char empty[] = "{\"version\":8,\"sources\":{},\"layers\":[]}";
  const char *text = (const char *)input.data;
  neat_buffer *out = NULL;
  TRY(neat_style_validate(text, input.size, &out));
  *digest = digest_buffer(1, out);
  TRY(neat_style_migrate(text, input.size, &out));
  *digest = digest_buffer(*digest, out);
  TRY(neat_style_diff(empty, sizeof empty - 1, text, input.size, &out));
  *digest = digest_buffer(*digest, out);
  return NEAT_STATUS_OK;
}

/* A constant, labels and a result that are large. */
static file_bytes large_expression;

static void prepare_expression(const char *unused) {
  (void)unused;
  enum { LABELS = 14000 };
  char *text = malloc((size_t)LABELS * 32 + 100), *end = text;
  end += sprintf(end, "[\"match\",[\"get\",\"a\"]");
  for (int n = 0; n < LABELS; n++) end += sprintf(end, ",\"label-%d\",\"value-%d\"", n, n % 100);
  end += sprintf(end, ",\"other\"]");
  large_expression = (file_bytes){(uint8_t *)text, (size_t)(end - text)};
}

static neat_status expression(uint64_t *digest) {
  static const char feature[] = "{\"type\":\"Point\",\"properties\":{\"a\":\"label-777\"}}";
  static neat_expression *made;
  neat_buffer *out = NULL;
  if (made == NULL)
    TRY(neat_expression_compile((const char *)large_expression.data, large_expression.size, NULL, 0, &made));
  TRY(neat_expression_evaluate(made, NULL, 0, feature, sizeof feature - 1, &out));
  *digest = digest_buffer(1, out);
  TRY(neat_expression_disassemble(made, &out));
  *digest = digest_buffer(*digest, out);
  return NEAT_STATUS_OK;
}

const fault_case reader_cases[] = {
    {"MVT", "mvt/omt-paris-14-8299-5635.mvt", prepare, mvt},
    {"MVT of one large layer", "mvt/osm-qa-montevideo-12-1409-2472.mvt", prepare, mvt},
    {"MVT opened", "mvt/omt-paris-14-8299-5635.mvt", prepare, open_mvt},
    {"MLT", "../conformance/mlt/expected/tag0x01/bing/4-8-5.mlt", prepare, mlt},
    {"PMTiles parsed", "tiles/world-countries.pmtiles", prepare, parse_archive},
    {"PMTiles opened", "tiles/innsbruck.pmtiles", prepare, open_archive},
    {"MBTiles opened", "tiles/innsbruck.mbtiles", prepare, open_archive},
    {"GeoJSON", "geojson/ne_110m_admin_0_countries.geojson", prepare, geojson},
    {"GeoJSON with clusters", "geojson/earthquakes.geojson", prepare, clustered_geojson},
    {"GeoJSON in pieces", "geojson/ne_110m_admin_0_countries.geojson", prepare, geojson_in_pieces},
    {"image: PNG", "sprites/osm-liberty/sprite@2x.png", prepare, image},
    {"image: JPEG", "sprites", prepare_jpeg, decode_image},
    {"image: WebP", "sprites", prepare_webp, decode_image},
    {"font file", "ttf/NotoSans-Regular.ttf", prepare, font_file},
    {"glyph range", "glyphs/Noto Sans Regular/0-255.pbf", prepare, glyph_range},
    {"style document", "styles/versatiles-colorful.json", prepare, style_document},
    {"expression", NULL, prepare_expression, expression},
    {"expression over layers", "mvt/omt-paris-14-8299-5635.mvt", prepare, expression_over_layer},
    {NULL, NULL, NULL, NULL}};
