/* SQLite files: the cache of resources with its regions, and MBTiles. */
#include "../fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where the input lies as a file; returns the length of the path. */
static size_t put(char path[128], const char *name, const uint8_t *data, size_t size) {
  int length = snprintf(path, 128, "%s/%s", scratch_folder(), name);
  if (write_file(path, data, size)) abort();
  return (size_t)length;
}

static neat_status open_cache(const char *path, neat_resources **out) {
  char options[256];
  int length = snprintf(
      options, sizeof options,
      "{\"cachePath\":\"%s\",\"cacheBytes\":65536,\"timeoutMs\":100,\"retryCount\":0}", path);
  return neat_resources_create(options, (size_t)length, out);
}

static void cache(const uint8_t *data, size_t size) {
  char path[128];
  neat_resources *made = NULL;
  neat_buffer *out = NULL;
  put(path, "cache.db", data, size);
  if (open_cache(path, &made) == NEAT_STATUS_OK) {
    either(neat_resources_set_online(made, 0));
    drop_if(neat_resources_load(made, NEAT_RESOURCE_STYLE, "http://h/style.json", 19, 100, &out), &out);
    drop_if(neat_resources_load(made, NEAT_RESOURCE_TILE, "http://h/1/0/1.mvt", 18, 100, &out), &out);
    drop_if(neat_offline_list(made, &out), &out);
    neat_offline_progress progress = {.struct_size = sizeof progress};
    either(neat_offline_status(made, 1, &progress));
    drop_if(neat_offline_metadata(made, 1, &out), &out);
    if (below(4) == 0) either(neat_offline_invalidate(made, 1));
    if (below(4) == 0) either(neat_offline_delete(made, 1));
    if (below(4) == 0) either(neat_resources_keep(made, (neat_cache_action)below(4)));
    drop_if(neat_resources_report(made, &out), &out);
    neat_resources_destroy(made);
  }
  empty_folder(scratch_folder());
}

/* A database that another installation made, merged into an empty one. */
static void merge(const uint8_t *data, size_t size) {
  char path[128], own[128];
  neat_resources *made = NULL;
  neat_buffer *out = NULL;
  size_t length = put(path, "other.db", data, size);
  snprintf(own, sizeof own, "%s/own.db", scratch_folder());
  if (open_cache(own, &made)) abort();
  if (neat_offline_merge(made, path, length, &out) == NEAT_STATUS_OK) {
    neat_buffer_destroy(out);
    if (neat_offline_list(made, &out)) abort();
    neat_buffer_destroy(out);
  }
  neat_resources_destroy(made);
  empty_folder(scratch_folder());
}

static void mbtiles(const uint8_t *data, size_t size) {
  static const char options[] = "{\"overwrite\":true,\"resume\":false,\"verify\":true}";
  char path[128], copy[128];
  neat_archive *made = NULL;
  neat_buffer *out = NULL;
  size_t length = put(path, "tiles.mbtiles", data, size);
  if (neat_archive_open(path, length, &made) == NEAT_STATUS_OK) {
    drop_if(neat_archive_info(made, &out), &out);
    drop_if(neat_archive_tile(made, 0, 0, 0, &out), &out);
    drop_if(neat_archive_tile(made, 1, 0, 1, &out), &out);
    neat_archive_destroy(made);
    int copied = snprintf(copy, sizeof copy, "%s/copy.pmtiles", scratch_folder());
    if (below(8) == 0)
      drop_if(
          neat_archive_copy(
              path, length, copy, (size_t)copied, options, sizeof options - 1, NULL, NULL, &out),
          &out);
  }
  empty_folder(scratch_folder());
}

/* The definition of a region that is downloaded. */
static void region(const uint8_t *data, size_t size) {
  static neat_resources *resources;
  int64_t made = 0;
  if (!resources) {
    char path[128];
    snprintf(path, sizeof path, "%s/regions.db", scratch_folder());
    if (open_cache(path, &resources)) abort();
    either(neat_resources_set_online(resources, 0));
  }
  if (neat_offline_create(resources, (const char *)data, size, data, size < 64 ? size : 64, &made)) return;
  neat_buffer *out = NULL;
  neat_offline_progress progress = {.struct_size = sizeof progress};
  if (neat_offline_list(resources, &out)) abort();
  neat_buffer_destroy(out);
  either(neat_offline_status(resources, made, &progress));
  if (neat_offline_delete(resources, made)) abort();
}

const target DATABASE_TARGETS[] = {
    {"cache", cache, {".db"}, 100, 0},
    {"merge", merge, {".db"}, 200, 0},
    {"mbtiles", mbtiles, {".mbtiles"}, 50, 0},
    {"region", region, {NULL}, 20, 0},
    {0}};
