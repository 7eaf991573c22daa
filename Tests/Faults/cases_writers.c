/* What writes files: the tiler, archives, the cache of what servers answered. */
#include "cases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static file_bytes input;
static char input_path[512];

static void prepare(const char *name) {
  snprintf(input_path, sizeof input_path, "%s", path_in(data_folder, name));
  input = read_file(input_path);
}

static const char overwrite[] = "{\"overwrite\":true}";

static neat_status add_and_write(neat_tiler *tiler, const char *target, uint64_t *digest) {
  static const char layer[] = "places";
  neat_buffer *out = NULL;
  for (size_t at = 0; at < input.size; at += 400000) {
    size_t piece = input.size - at < 400000 ? input.size - at : 400000;
    TRY(neat_tiler_add_geojson(
        tiler, layer, sizeof layer - 1, 0, (const char *)input.data + at, piece, at + piece == input.size));
  }
  TRY(neat_tiler_describe(tiler, NULL, 0, &out));
  *digest = digest_buffer(1, out);
  TRY(neat_tiler_write(
      tiler, target, strlen(target), 0, UINT64_MAX, overwrite, sizeof overwrite - 1, NULL, NULL, &out));
  neat_buffer_destroy(out);
  return NEAT_STATUS_OK;
}

static neat_status tiler(uint64_t *digest) {
  static const char layers[] = "[{\"name\":\"places\"}]";
  char options[600];
  const char *target = path_in(scratch_folder, "tiles.pmtiles");
  int length = snprintf(options, sizeof options, "{\"maxzoom\":5,\"threads\":2,\"folder\":\"%s\"}", scratch_folder);
  neat_tiler *made = NULL;
  TRY(neat_tiler_create(layers, sizeof layers - 1, options, (size_t)length, &made));
  neat_status status = add_and_write(made, target, digest);
  neat_tiler_destroy(made);
  TRY(status);
  *digest = digest_file(*digest, target);
  return NEAT_STATUS_OK;
}

static neat_status archive_copy(uint64_t *digest) {
  const char *target = path_in(scratch_folder, "copy.pmtiles");
  neat_buffer *out = NULL;
  TRY(neat_archive_copy(
      input_path, strlen(input_path), target, strlen(target), overwrite, sizeof overwrite - 1, NULL, NULL, &out));
  neat_buffer_destroy(out);
  *digest = digest_file(1, target);
  return NEAT_STATUS_OK;
}

static neat_status fill(neat_archive_writer *writer) {
  for (uint32_t x = 0; x < 4; x++) TRY(neat_archive_writer_add(writer, 2, x, x, input.data, input.size - x));
  return neat_archive_writer_finish(writer, NULL, 0);
}

static neat_status archive_writer(uint64_t *digest) {
  const char *target = path_in(scratch_folder, "written.mbtiles");
  neat_archive_writer *writer = NULL;
  neat_archive *archive = NULL;
  neat_buffer *tile = NULL;
  TRY(neat_archive_writer_create(target, strlen(target), overwrite, sizeof overwrite - 1, &writer));
  neat_status status = fill(writer);
  neat_archive_writer_destroy(writer);
  TRY(status);
  TRY(neat_archive_open(target, strlen(target), &archive));
  status = neat_archive_tile(archive, 2, 1, 1, &tile);
  neat_archive_destroy(archive);
  TRY(status);
  *digest = digest_buffer(1, tile);
  return NEAT_STATUS_OK;
}

/* ---------------------------------------------------------------- the cache */

/* Answers every request with the input. An answer that fails is the library's to tell. */
static void answer(void *context, const neat_http_request *request) {
  static const char name[] = "cache-control", value[] = "max-age=1000";
  neat_http_header header = {.name = name, .name_size = sizeof name - 1, .value = value, .value_size = sizeof value - 1};
  neat_status status = neat_http_respond(request->id, 200, &header, 1, input.data, input.size);
  (void)context, (void)status;
}

static void prepare_service(const char *name) {
  neat_http_service service = {.struct_size = sizeof service, .request = answer};
  prepare(name);
  if (neat_set_http_service(&service) != NEAT_STATUS_OK) {
    fprintf(stderr, "%s\n", neat_last_error());
    exit(98);
  }
}

/* What a server answered, and then the cache where none is asked. */
static neat_status resource_cache(uint64_t *digest) {
  static neat_resources *resources;
  static const char url[] = "http://example.org/large.bin";
  char options[600];
  neat_buffer *data = NULL;
  int length = snprintf(
      options, sizeof options, "{\"cachePath\":\"%s\",\"retryCount\":0}", path_in(scratch_folder, "cache.db"));
  if (resources == NULL) TRY(neat_resources_create(options, (size_t)length, &resources));
  TRY(neat_resources_set_online(resources, 1));
  TRY(neat_resources_load(resources, NEAT_RESOURCE_UNKNOWN, url, sizeof url - 1, 10000, &data));
  *digest = digest_buffer(1, data);
  TRY(neat_resources_keep(resources, NEAT_CACHE_FLUSH));
  TRY(neat_resources_set_online(resources, 0));
  neat_status status = neat_resources_load(resources, NEAT_RESOURCE_UNKNOWN, url, sizeof url - 1, 10000, &data);
  /* A worker stores what came; what it had no memory for is not there, and the report of the cache says so. */
  if (status == NEAT_STATUS_NETWORK) return NEAT_STATUS_OUT_OF_MEMORY;
  TRY(status);
  *digest = digest_buffer(*digest, data);
  return NEAT_STATUS_OK;
}

const fault_case writer_cases[] = {
    {"tiler", "geojson/earthquakes.geojson", prepare, tiler},
    {"archive copied", "tiles/sf.mbtiles", prepare, archive_copy},
    {"archive written", "mvt/omt-paris-14-8299-5635.mvt", prepare, archive_writer},
    {"resource cache", "mvt/omt-paris-14-8299-5635.mvt", prepare_service, resource_cache},
    {NULL, NULL, NULL, NULL}};
