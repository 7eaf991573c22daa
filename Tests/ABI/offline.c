/* Regions: made, listed, downloaded, stopped, merged, deleted; a map that is drawn with the network off; what is given
 * wrongly. The servers are a service of the test's own, which answers from within the call. */
#include <neatline.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "check.h"

#define HOST "https://maps.example"
static const char WORLD[] =
    "{\"version\":8,\"sources\":{\"s\":{\"type\":\"raster\",\"tiles\":[\"t/{z}/{x}/{y}.png\"],\"maxzoom\":3}},"
    "\"layers\":[{\"id\":\"r\",\"type\":\"raster\",\"source\":\"s\"}]}";
static const char DEFINITION[] =
    "{\"style_url\":\"" HOST "/style.json\",\"min_zoom\":0,\"max_zoom\":2,\"pixel_ratio\":1,"
    "\"bounds\":[-80,170,80,190]}";
static const char TWO[] =
    "{\"style_url\":\"" HOST "/style.json\",\"min_zoom\":0,\"pixel_ratio\":1,"
    "\"geometry\":{\"type\":\"Point\",\"coordinates\":[10,10]}}";

static atomic_int asked;
static atomic_int refuses;
static neat_buffer *picture;

static void request(void *context, const neat_http_request *request) {
  (void)context;
  atomic_fetch_add(&asked, 1);
  const neat_http_header header = {"cache-control", 13, "max-age=600", 11};
  const int is_style = request->url_size > 10 && memcmp(request->url + request->url_size - 10, "style.json", 10) == 0;
  const uint8_t *body = is_style ? (const uint8_t *)WORLD : neat_buffer_data(picture);
  const size_t size = is_style ? strlen(WORLD) : neat_buffer_size(picture);
  CHECK(neat_http_respond(request->id, refuses ? 403 : 200, &header, 1, body, size) == NEAT_STATUS_OK);
}

typedef struct heard {
  atomic_int progress, errors, limits, ended;
} heard;

static void hear(void *context, const neat_offline_event *event) {
  heard *heard = context;
  CHECK(event->struct_size >= sizeof *event && event->region > 0 && !heard->ended);
  switch (event->type) {
  case NEAT_OFFLINE_EVENT_PROGRESS:
    CHECK(event->progress != NULL && event->progress->completed_count <= event->progress->required_count);
    heard->progress++;
    if (event->progress->state != NEAT_OFFLINE_STATE_ACTIVE) heard->ended = 1;
    break;
  case NEAT_OFFLINE_EVENT_ERROR:
    CHECK(event->status != NEAT_STATUS_OK && strstr(event->resource, HOST) != NULL && event->message[0] != 0);
    heard->errors++;
    break;
  case NEAT_OFFLINE_EVENT_TILE_LIMIT: heard->limits = (int)event->tile_limit; break;
  }
}

static neat_resources *open_at(const char *path) {
  char options[300];
  neat_resources *resources;
  snprintf(options, sizeof options, "{\"cachePath\":\"%s\"}", path);
  CHECK(neat_resources_create(options, strlen(options), &resources) == NEAT_STATUS_OK);
  return resources;
}

static int64_t make(neat_resources *resources, const char *definition) {
  int64_t region = 0;
  CHECK(neat_offline_create(resources, definition, strlen(definition), (const uint8_t *)"a\0b", 3, &region) ==
        NEAT_STATUS_OK);
  CHECK(region > 0);
  return region;
}

static neat_offline_progress load(neat_resources *resources, int64_t region, heard *heard) {
  neat_offline_download *download;
  neat_offline_progress progress = {.struct_size = sizeof progress};
  CHECK(neat_offline_download_create(resources, region, NULL, 0, hear, heard, &download) == NEAT_STATUS_OK);
  CHECK(neat_offline_download_wait(download, 20000) == 1 && neat_offline_download_wait(download, 1) == 1);
  CHECK(neat_offline_download_progress(download, &progress) == NEAT_STATUS_OK);
  neat_offline_download_destroy(download);
  CHECK(heard->ended == 1);
  return progress;
}

static void regions(neat_resources *resources, const char *path) {
  heard heard = {0};
  const int64_t region = make(resources, DEFINITION);
  neat_offline_progress progress = {.struct_size = sizeof progress};
  CHECK(neat_offline_status(resources, region, &progress) == NEAT_STATUS_OK);
  CHECK(progress.state == NEAT_OFFLINE_STATE_INACTIVE && progress.completed_count == 0 && !progress.is_precise);
  progress = load(resources, region, &heard);
  /* The style; tiles of 512 pixels over the 180th meridian: 1, 2 columns of 2, 2 columns of 4. */
  CHECK(progress.state == NEAT_OFFLINE_STATE_COMPLETE && progress.is_precise && progress.failed_count == 0);
  CHECK(progress.required_count == 1 + 13 && progress.completed_count == 14 && progress.completed_tile_count == 13);
  CHECK(progress.byte_count > progress.tile_byte_count && progress.received_byte_count > 0);
  CHECK(asked == 14 && heard.errors == 0 && heard.progress >= 2);

  neat_buffer *text;
  CHECK(neat_offline_list(resources, &text) == NEAT_STATUS_OK);
  CHECK(strstr((const char *)neat_buffer_data(text), "\"metadataBytes\":3") != NULL);
  neat_buffer_destroy(text);
  CHECK(neat_offline_metadata(resources, region, &text) == NEAT_STATUS_OK);
  CHECK(neat_buffer_size(text) == 3 && memcmp(neat_buffer_data(text), "a\0b", 3) == 0);
  neat_buffer_destroy(text);
  CHECK(neat_offline_set_metadata(resources, region, NULL, 0) == NEAT_STATUS_OK);

  /* Fresh: nobody is asked. */
  heard = (struct heard){0};
  CHECK(load(resources, region, &heard).received_byte_count == 0 && asked == 14);

  /* Drawn with the network off, by resources that merged the region. */
  char other_path[300];
  snprintf(other_path, sizeof other_path, "%s-other", path);
  neat_resources *other = open_at(other_path);
  CHECK(neat_offline_merge(other, path, strlen(path), &text) == NEAT_STATUS_OK);
  CHECK(strstr((const char *)neat_buffer_data(text), "\"id\":1") != NULL);
  neat_buffer_destroy(text);
  neat_network_set_connected(0);
  CHECK(neat_network_is_connected() == 0);
  neat_options options = {.struct_size = sizeof options, .resources = other, .retry_count = NEAT_NO_RETRIES};
  neat_camera camera = {.struct_size = sizeof camera, .lon_deg = 180, .lat_deg = 10, .zoom = 1};
  neat_size size = {.struct_size = sizeof size, .width_px = 8, .height_px = 8};
  neat_renderer *renderer;
  neat_image *image;
  CHECK(neat_renderer_load(HOST "/style.json", strlen(HOST "/style.json"), &options, &renderer) == NEAT_STATUS_OK);
  CHECK(neat_renderer_draw(renderer, &camera, &size, 0, &image) == NEAT_STATUS_OK);
  CHECK(neat_image_pixels(image)[0] == 200 && neat_image_missing_count(image) == 0 && asked == 14);
  neat_image_destroy(image);
  neat_renderer_destroy(renderer);
  neat_network_set_connected(1);
  neat_resources_destroy(other);

  CHECK(neat_offline_invalidate(resources, region) == NEAT_STATUS_OK);
  CHECK(neat_offline_delete(resources, region) == NEAT_STATUS_OK);
  CHECK(neat_offline_delete(resources, region) == NEAT_STATUS_NOT_FOUND);
}

static void limits(neat_resources *resources) {
  heard heard = {0};
  const char template[] = "[\"" HOST "/t\"]";
  CHECK(neat_offline_set_tile_limit(resources, 1, template, strlen(template)) == NEAT_STATUS_OK);
  const int64_t region = make(resources, TWO);
  CHECK(load(resources, region, &heard).state == NEAT_OFFLINE_STATE_INACTIVE && heard.limits == 1);
  CHECK(neat_offline_set_tile_limit(resources, 0, NULL, 0) == NEAT_STATUS_OK);
  CHECK(neat_offline_set_tile_limit(resources, 0, "{}", 2) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_offline_set_tile_limit(resources, 0, "[1]", 3) == NEAT_STATUS_INVALID_ARGUMENT);
  heard = (struct heard){0};
  CHECK(load(resources, region, &heard).state == NEAT_OFFLINE_STATE_COMPLETE);
  CHECK(neat_offline_delete(resources, region) == NEAT_STATUS_OK);
  CHECK(neat_resources_keep(resources, NEAT_CACHE_CLEAR) == NEAT_STATUS_OK);
  refuses = 1;
  heard = (struct heard){0};
  const neat_offline_progress progress = load(resources, make(resources, TWO), &heard);
  CHECK(progress.state == NEAT_OFFLINE_STATE_INACTIVE && progress.failed_count == 1 && heard.errors == 1);
  refuses = 0;
}

static void refused(neat_resources *resources) {
  int64_t region = 7;
  neat_offline_download *download = (void *)&region;
  neat_offline_progress progress = {.struct_size = sizeof progress};
  neat_buffer *text = (void *)&region;
  CHECK(neat_offline_create(resources, "{}", 2, NULL, 0, &region) == NEAT_STATUS_INVALID_ARGUMENT && region == 0);
  CHECK(neat_offline_create(resources, "{", 1, NULL, 0, &region) == NEAT_STATUS_JSON);
  CHECK(neat_offline_create(resources, TWO, strlen(TWO), NULL, 3, &region) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_offline_create(resources, TWO, strlen(TWO), NULL, 0, NULL) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_offline_create(NULL, TWO, strlen(TWO), NULL, 0, &region) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_offline_list(NULL, &text) == NEAT_STATUS_INVALID_ARGUMENT && text == NULL);
  CHECK(neat_offline_status(resources, 99, &progress) == NEAT_STATUS_NOT_FOUND);
  progress.struct_size = 3;
  CHECK(neat_offline_status(resources, 1, &progress) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_offline_metadata(resources, 99, &text) == NEAT_STATUS_NOT_FOUND && text == NULL);
  CHECK(neat_offline_set_metadata(resources, 99, NULL, 0) == NEAT_STATUS_NOT_FOUND);
  CHECK(neat_offline_invalidate(resources, 99) == NEAT_STATUS_NOT_FOUND);
  CHECK(neat_offline_merge(resources, "/nowhere", 8, &text) == NEAT_STATUS_NOT_FOUND && text == NULL);
  CHECK(neat_offline_download_create(resources, 99, NULL, 0, NULL, NULL, &download) == NEAT_STATUS_NOT_FOUND);
  CHECK(download == NULL);
  CHECK(neat_offline_download_create(resources, 1, "{\"speed\":1}", 11, NULL, NULL, &download) ==
        NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(strstr(neat_last_error(), "speed") != NULL);
  CHECK(neat_offline_download_wait(NULL, 1) == 0);
  CHECK(neat_offline_download_progress(NULL, &progress) == NEAT_STATUS_INVALID_ARGUMENT);
  neat_offline_download_stop(NULL);
  neat_offline_download_destroy(NULL);
  neat_resources *plain;
  CHECK(neat_resources_create(NULL, 0, &plain) == NEAT_STATUS_OK);
  CHECK(neat_offline_list(plain, &text) == NEAT_STATUS_STATE);
  neat_resources_destroy(plain);
}

int main(void) {
  const neat_http_service service = {.struct_size = sizeof service, .request = request};
  CHECK(neat_set_http_service(&service) == NEAT_STATUS_OK);
  uint8_t pixels[4 * 4 * 4];
  for (size_t i = 0; i < sizeof pixels; i++) pixels[i] = i % 4 == 3 ? 255 : 200;
  neat_image *square;
  CHECK(neat_image_create(4, 4, pixels, &square) == NEAT_STATUS_OK);
  CHECK(neat_image_encode_png(square, NEAT_PNG_MODE_FAST, &picture) == NEAT_STATUS_OK);
  neat_image_destroy(square);

  char path[] = "/tmp/neatline-offline-XXXXXX";
  const int file = mkstemp(path);
  CHECK(file >= 0);
  close(file);
  neat_resources *resources = open_at(path);
  regions(resources, path);
  limits(resources);
  refused(resources);
  neat_resources_destroy(resources);
  static const char *const ends[] = {"", "-wal", "-shm", "-other", "-other-wal", "-other-shm"};
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
    char name[300];
    snprintf(name, sizeof name, "%s%s", path, ends[i]);
    unlink(name);
  }
  neat_buffer_destroy(picture);
  return 0;
}
