/* Responses of servers, without a network: an HTTP service of this process gives parts of the input. */
#include "../fuzz.h"

#include <stdlib.h>
#include <string.h>

enum { HEADER_LIMIT = 8 };

/* The response to requests whose URL ends so. */
typedef struct response {
  const char *end;
  bytes body;
} response;

static response responses[4];
static neat_http_header headers[HEADER_LIMIT];
static size_t header_count;
static uint32_t response_status = 200;

static int is_for(const neat_http_request *request, const char *end) {
  size_t length = strlen(end);
  return request->url_size >= length
         && memcmp(request->url + request->url_size - length, end, length) == 0;
}

static void respond(void *context, const neat_http_request *request) {
  (void)context;
  for (size_t index = 0; index < 4 && responses[index].end; index++) {
    if (!is_for(request, responses[index].end)) continue;
    bytes body = responses[index].body;
    either(neat_http_respond(request->id, response_status, headers, header_count, body.data, body.size));
    return;
  }
  either(neat_http_respond(request->id, 404, NULL, 0, NULL, 0));
}

static void serve(const char *end, const uint8_t *data, size_t size, size_t number) {
  static int is_set;
  if (!is_set) {
    neat_http_service service = {.struct_size = sizeof service, .request = respond};
    if (neat_set_http_service(&service)) abort();
    is_set = 1;
  }
  responses[number] = (response){end, {(uint8_t *)data, size}};
}

static void draw_style(const char *style, size_t size) {
  neat_options options = {
      .struct_size = sizeof options,
      .thread_count = 1,
      .local_files = NEAT_LOCAL_FILES_DENY,
      .no_system_fonts = 1,
      .timeout_ms = 1000,
      .retry_count = NEAT_NO_RETRIES};
  neat_camera camera = {.struct_size = sizeof camera, .zoom = (double)below(4)};
  neat_size view = {.struct_size = sizeof view, .width_px = 24, .height_px = 16, .pixel_ratio = 1};
  neat_renderer *renderer = NULL;
  neat_image *drawn = NULL;
  neat_buffer *out = NULL;
  if (neat_renderer_create(style, size, NULL, 0, &options, &renderer)) abort();
  if (neat_renderer_draw(renderer, &camera, &view, 1000, &drawn) == NEAT_STATUS_OK)
    neat_image_destroy(drawn);
  drop_if(neat_renderer_attribution_links(renderer, 1000, &out), &out);
  drop_if(neat_renderer_problems(renderer, &out), &out);
  neat_renderer_destroy(renderer);
}

/* The metadata of a source of each type. */
static void tilejson(const uint8_t *data, size_t size) {
  static const char *const styles[] = {
      "{\"version\":8,\"sources\":{\"s\":{\"type\":\"vector\",\"url\":\"http://h/t.json\"}},\"layers\":"
      "[{\"id\":\"l\",\"type\":\"line\",\"source\":\"s\",\"source-layer\":\"a\"}]}",
      "{\"version\":8,\"sources\":{\"s\":{\"type\":\"raster\",\"url\":\"http://h/t.json\"}},\"layers\":"
      "[{\"id\":\"l\",\"type\":\"raster\",\"source\":\"s\"}]}",
      "{\"version\":8,\"sources\":{\"s\":{\"type\":\"raster-dem\",\"url\":\"http://h/t.json\"}},\"layers\":"
      "[{\"id\":\"l\",\"type\":\"hillshade\",\"source\":\"s\"}]}"};
  static const uint8_t tile[] = "\x1a\x16\x0a\x01"
                                "a\x12\x0d\x08\x01\x12\x02\x01\x01\x18\x02\x22\x05\x09\x02\x02\x0a\x02\x28"
                                "\x20\x78\x02";
  const char *style = styles[below(3)];
  serve("t.json", data, size, 0);
  serve(".mvt", tile, sizeof tile - 1, 1);
  draw_style(style, strlen(style));
}

/* A sprite: the index, then, after a zero byte, the sheet. Without the byte the sheet is a valid one. */
static void sprite(const uint8_t *data, size_t size) {
  static const char style[] =
      "{\"version\":8,\"sprite\":\"http://h/s\",\"sources\":{\"g\":{\"type\":\"geojson\",\"data\":{\"type\":"
      "\"Polygon\",\"coordinates\":[[[-90,-60],[90,-60],[90,60],[-90,-60]]]}}},\"layers\":[{\"id\":\"f\","
      "\"type\":\"fill\",\"source\":\"g\",\"paint\":{\"fill-pattern\":\"a\"}},{\"id\":\"i\",\"type\":"
      "\"symbol\",\"source\":\"g\",\"layout\":{\"icon-image\":\"b\",\"icon-text-fit\":\"both\"}},{\"id\":"
      "\"l\",\"type\":\"line\",\"source\":\"g\",\"paint\":{\"line-pattern\":\"c\"}}]}";
  static const uint8_t sheet[] = {
      0x89, 'P',  'N',  'G',  0x0D, 0x0A, 0x1A, 0x0A, 0,    0,    0,    0x0D, 'I',  'H',
      'D',  'R',  0,    0,    0,    16,   0,    0,    0,    16,   8,    0,    0,    0,
      0,    0x3A, 0x98, 0xA0, 0xBD, 0,    0,    0,    0x0C, 'I',  'D',  'A',  'T',  0x78,
      0xDA, 0x63, 0x60, 0x18, 0x58, 0,    0,    0x01, 0x10, 0,    0x01, 0,    0,    0,
      0,    0,    'I',  'E',  'N',  'D',  0xAE, 0x42, 0x60, 0x82};
  const uint8_t *cut = size ? memchr(data, 0, size) : NULL;
  size_t index = cut ? (size_t)(cut - data) : size;
  serve(".json", data, index, 0);
  if (cut) serve(".png", cut + 1, size - index - 1, 1);
  else serve(".png", sheet, sizeof sheet, 1);
  draw_style(style, sizeof style - 1);
}

/* The fields of a response's head, a line each; what follows an empty line is the body. */
static void response_head(const uint8_t *data, size_t size) {
  static neat_resources *resources;
  static const uint32_t statuses[] = {200, 200, 200, 204, 206, 304, 404, 410, 429, 500, 503, 999};
  if (!resources) {
    static const char options[] = "{\"timeoutMs\":1000,\"retryCount\":0}";
    if (neat_resources_create(options, sizeof options - 1, &resources)) abort();
  }
  const char *text = (const char *)data, *end = text + size;
  header_count = 0;
  while (text < end && header_count < HEADER_LIMIT) {
    const char *line = memchr(text, '\n', (size_t)(end - text));
    if (!line) line = end;
    const char *colon = line > text ? memchr(text, ':', (size_t)(line - text)) : NULL;
    if (!colon) {
      text = line < end ? line + 1 : end;
      break;
    }
    headers[header_count++] =
        (neat_http_header){text, (size_t)(colon - text), colon + 1, (size_t)(line - colon - 1)};
    text = line < end ? line + 1 : end;
  }
  response_status = statuses[below(12)];
  serve("x", (const uint8_t *)text, (size_t)(end - text), 0);
  neat_buffer *out = NULL;
  drop_if(
      neat_resources_load(resources, (neat_resource_kind)below(10), "http://h/x", 10, 1000, &out), &out);
}

/* A sheet is an image of at most 2^26 pixels, and its icons have as many pixels together. */
const target NETWORK_TARGETS[] = {
    {"tilejson", tilejson, {NULL}, 100, 0},
    {"sprite", sprite, {NULL}, 100, (size_t)(3 * 256 + 64) << 20},
    {"response", response_head, {NULL}, 20, 0},
    {0}};
