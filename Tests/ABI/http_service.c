/* An HTTP service of the host's: a double that answers from memory, on a thread of its own. What it is given wrongly is
 * refused; a renderer and a map draw by it; an interceptor and a transform change what goes through. */
#include <neatline.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "check.h"

#define HOST "https://maps.example"
static const char SQUARE[] =
    "{\"type\":\"Polygon\",\"coordinates\":[[[-170,-80],[170,-80],[170,80],[-170,80],[-170,-80]]]}";
static const char MAP_STYLE[] =
    "{\"version\":8,\"sources\":{\"s\":{\"type\":\"geojson\",\"data\":\"" HOST "/square.geojson\"}},"
    "\"layers\":[{\"id\":\"f\",\"type\":\"fill\",\"source\":\"s\",\"paint\":{\"fill-color\":\"#c00\"}}]}";

/* ---------------------------------------------------------------- the service */

typedef struct asked {
  uint64_t id;
  char url[200];
  char key[40];
} asked;

/* What the service knows; `waiting` are those that the thread has not answered. */
static struct {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  asked waiting[64];
  size_t waiting_count;
  size_t asked_count, cancelled_count;
  asked last;
  int is_over, answers_nothing;
} service = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static void request(void *context, const neat_http_request *request) {
  CHECK(context == &service && request->struct_size >= sizeof *request && request->id > 0);
  CHECK(request->method == NEAT_HTTP_GET && request->body_size == 0);
  asked new = {.id = request->id};
  CHECK(request->url_size < sizeof new.url);
  memcpy(new.url, request->url, request->url_size);
  for (size_t i = 0; i < request->header_count; i++) {
    const neat_http_header *header = &request->headers[i];
    if (header->name_size == 5 && memcmp(header->name, "X-Key", 5) == 0)
      memcpy(new.key, header->value, header->value_size < 39 ? header->value_size : 39);
  }
  pthread_mutex_lock(&service.lock);
  service.asked_count++;
  service.last = new;
  CHECK(service.waiting_count < 64);
  service.waiting[service.waiting_count++] = new;
  pthread_cond_signal(&service.changed);
  pthread_mutex_unlock(&service.lock);
}

static void cancel(void *context, uint64_t id) {
  CHECK(context == &service && id > 0);
  pthread_mutex_lock(&service.lock);
  service.cancelled_count++;
  pthread_mutex_unlock(&service.lock);
}

/* A count as it is now. */
static size_t now(const size_t *count) {
  pthread_mutex_lock(&service.lock);
  const size_t result = *count;
  pthread_mutex_unlock(&service.lock);
  return result;
}

/* The header of the last request. */
static int has_key(const char *value) {
  pthread_mutex_lock(&service.lock);
  const int result = strcmp(service.last.key, value) == 0;
  pthread_mutex_unlock(&service.lock);
  return result;
}

static neat_status respond(uint64_t id, uint32_t status, const char *body) {
  const neat_http_header header = {"Cache-Control", 13, "no-store", 8};
  return neat_http_respond(id, status, &header, 1, (const uint8_t *)body, strlen(body));
}

static void answer(const asked *request) {
  const char *path = strncmp(request->url, HOST, strlen(HOST)) == 0 ? request->url + strlen(HOST) : request->url;
  const uint64_t id = request->id;
  if (strcmp(path, "/style.json") == 0) {
    CHECK(respond(id, 200, MAP_STYLE) == NEAT_STATUS_OK);
    /* The first answer counts. */
    CHECK(respond(id, 200, "{}") == NEAT_STATUS_NOT_FOUND);
    CHECK(neat_http_fail(id, NEAT_HTTP_ERROR_OTHER, NULL, 0) == NEAT_STATUS_NOT_FOUND);
  } else if (strcmp(path, "/square.geojson") == 0) {
    CHECK(respond(id, 200, SQUARE) == NEAT_STATUS_OK);
  } else if (strcmp(path, "/tls") == 0) {
    CHECK(neat_http_fail(id, NEAT_HTTP_ERROR_TLS, "no certificate", 14) == NEAT_STATUS_OK);
  } else if (strcmp(path, "/status") == 0) {
    CHECK(respond(id, 42, "") == NEAT_STATUS_INVALID_ARGUMENT);
  } else if (strcmp(path, "/no-headers") == 0) {
    CHECK(neat_http_respond(id, 200, NULL, 3, NULL, 0) == NEAT_STATUS_INVALID_ARGUMENT);
  } else if (strcmp(path, "/no-body") == 0) {
    CHECK(neat_http_respond(id, 200, NULL, 0, NULL, 3) == NEAT_STATUS_INVALID_ARGUMENT);
  } else if (strcmp(path, "/kind") == 0) {
    CHECK(neat_http_fail(id, (neat_http_error)99, "why", 3) == NEAT_STATUS_INVALID_ARGUMENT);
  } else if (strcmp(path, "/megabytes") == 0) {
    const size_t size = 3 << 20;
    char *value = malloc(size);
    CHECK(value != NULL);
    memset(value, 'x', size);
    const neat_http_header header = {"a", 1, value, size};
    CHECK(neat_http_respond(id, 200, &header, 1, NULL, 0) == NEAT_STATUS_LIMIT_EXCEEDED);
    free(value);
  } else if (strcmp(path, "/size") == 0) {
    const neat_http_header header = {"a", 1, "b", SIZE_MAX};
    CHECK(neat_http_respond(id, 200, &header, 1, NULL, 0) == NEAT_STATUS_LIMIT_EXCEEDED);
  } else {
    CHECK(respond(id, 404, "") == NEAT_STATUS_OK);
  }
}

static void *work(void *unused) {
  (void)unused;
  pthread_mutex_lock(&service.lock);
  while (!service.is_over) {
    if (service.waiting_count == 0 || service.answers_nothing) {
      pthread_cond_wait(&service.changed, &service.lock);
      continue;
    }
    const asked next = service.waiting[--service.waiting_count];
    pthread_mutex_unlock(&service.lock);
    answer(&next);
    pthread_mutex_lock(&service.lock);
  }
  pthread_mutex_unlock(&service.lock);
  return NULL;
}

/* ---------------------------------------------------------------- what is tried */

static neat_status load(const char *path, const neat_options *options, neat_renderer **out) {
  char url[200];
  snprintf(url, sizeof url, "%s%s", HOST, path);
  return neat_renderer_load(url, strlen(url), options, out);
}

static int is_red(const neat_image *image) {
  const uint8_t *middle = neat_image_pixels(image) + 4 * (16 * 32 + 16);
  return middle[0] == 204 && middle[1] == 0 && middle[2] == 0 && middle[3] == 255;
}

static void refusals_before(void) {
  CHECK(neat_set_http_service(NULL) == NEAT_STATUS_INVALID_ARGUMENT);
  neat_http_service given = {.struct_size = sizeof given};
  CHECK(neat_set_http_service(&given) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(strstr(neat_last_error(), "request is NULL") != NULL);
  given.struct_size = 7;
  CHECK(neat_set_http_service(&given) == NEAT_STATUS_INVALID_ARGUMENT);
  /* Nobody waits for these. */
  CHECK(respond(0, 200, "") == NEAT_STATUS_NOT_FOUND && respond(UINT64_MAX, 200, "") == NEAT_STATUS_NOT_FOUND);
  CHECK(neat_http_fail(1, NEAT_HTTP_ERROR_OTHER, "x", 1) == NEAT_STATUS_NOT_FOUND);
}

static void draws(const neat_options *options) {
  neat_renderer *renderer = NULL;
  neat_image *image = NULL;
  const neat_size size = {.struct_size = sizeof size, .width_px = 32, .height_px = 32};
  CHECK(load("/style.json", options, &renderer) == NEAT_STATUS_OK);
  CHECK(neat_renderer_draw(renderer, NULL, &size, 10000, &image) == NEAT_STATUS_OK && is_red(image));
  neat_image_destroy(image);
  neat_renderer_destroy(renderer);
}

static void a_map_draws(void) {
  neat_loop *loop = NULL;
  neat_map *map = NULL;
  neat_image *image = NULL;
  const neat_size size = {.struct_size = sizeof size, .width_px = 32, .height_px = 32};
  CHECK(neat_loop_create(&loop) == NEAT_STATUS_OK);
  CHECK(neat_map_create(loop, &size, NULL, NULL, NULL, &map) == NEAT_STATUS_OK);
  CHECK(neat_map_load_style(map, HOST "/style.json", strlen(HOST "/style.json")) == NEAT_STATUS_OK);
  neat_loop_run(loop, 10000);
  CHECK(neat_map_is_loaded(map) && neat_map_draw(map, &image) == NEAT_STATUS_OK && is_red(image));
  neat_image_destroy(image);
  neat_map_destroy(map);
  neat_loop_destroy(loop);
}

static void fails(const char *path, neat_status status, const char *words) {
  neat_renderer *renderer = NULL;
  const neat_options options = {
      .struct_size = sizeof options, .retry_count = NEAT_NO_RETRIES, .timeout_ms = 10000};
  CHECK(load(path, &options, &renderer) == status && renderer == NULL);
  CHECK(strstr(neat_last_error(), words) != NULL);
}

/* A map that goes while its request is under way: the request is cancelled, and its answer comes to nothing. */
static void answers_to_what_is_gone(void) {
  neat_loop *loop = NULL;
  neat_map *map = NULL;
  const neat_size size = {.struct_size = sizeof size, .width_px = 32, .height_px = 32};
  pthread_mutex_lock(&service.lock);
  service.answers_nothing = 1;
  const size_t cancelled = service.cancelled_count, asked_before = service.asked_count;
  pthread_mutex_unlock(&service.lock);
  CHECK(neat_loop_create(&loop) == NEAT_STATUS_OK);
  CHECK(neat_map_create(loop, &size, NULL, NULL, NULL, &map) == NEAT_STATUS_OK);
  CHECK(neat_map_load_style(map, HOST "/gone.json", strlen(HOST "/gone.json")) == NEAT_STATUS_OK);
  for (int i = 0; i < 500 && now(&service.asked_count) == asked_before; i++) neat_loop_run(loop, 20);
  CHECK(now(&service.asked_count) == asked_before + 1);
  neat_map_destroy(map);
  neat_loop_destroy(loop);
  for (int i = 0; i < 500 && now(&service.cancelled_count) == cancelled; i++) usleep(10000);
  pthread_mutex_lock(&service.lock);
  CHECK(service.cancelled_count == cancelled + 1 && service.waiting_count == 1);
  const asked late = service.waiting[--service.waiting_count];
  service.answers_nothing = 0;
  pthread_mutex_unlock(&service.lock);
  CHECK(respond(late.id, 200, MAP_STYLE) == NEAT_STATUS_NOT_FOUND);
}

/* ---------------------------------------------------------------- interceptor and transform */

static int destroyed_count;
static void destroy(void *context) {
  CHECK(context == &destroyed_count);
  __atomic_add_fetch(&destroyed_count, 1, __ATOMIC_RELEASE);
}

static void on_send(void *context, const neat_http_request *request, neat_http_exchange *exchange) {
  CHECK(context == &destroyed_count && request->id == 0);
  CHECK(neat_http_exchange_set_header(exchange, "x-key", 5, "old", 3) == NEAT_STATUS_OK);
  CHECK(neat_http_exchange_set_header(exchange, "X-Key", 5, "from the interceptor", 20) == NEAT_STATUS_OK);
  CHECK(neat_http_exchange_set_header(exchange, "User-Agent", 10, NULL, 0) == NEAT_STATUS_OK);
  CHECK(neat_http_exchange_set_header(exchange, "", 0, "x", 1) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_http_exchange_set_header(exchange, "x", 1, "a\nb", 3) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_http_exchange_set_url(exchange, "file:///x", 9) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_http_exchange_set_method(exchange, (neat_http_method)9) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_http_exchange_set_status(exchange, 200) == NEAT_STATUS_STATE);
  CHECK(neat_http_exchange_fail(exchange, (neat_http_error)0, "x", 1) == NEAT_STATUS_INVALID_ARGUMENT);
  if (memcmp(request->url, HOST "/moved.json", strlen(HOST "/moved.json")) == 0)
    CHECK(neat_http_exchange_set_url(exchange, HOST "/style.json", strlen(HOST "/style.json")) == NEAT_STATUS_OK);
  if (memcmp(request->url, HOST "/forbidden", strlen(HOST "/forbidden")) == 0)
    CHECK(neat_http_exchange_fail(exchange, NEAT_HTTP_ERROR_OTHER, "not allowed", 11) == NEAT_STATUS_OK);
}

static void on_receive(
    void *context, const neat_http_request *request, const neat_http_response *response,
    neat_http_exchange *exchange) {
  CHECK(context == &destroyed_count && request->url_size > 0);
  CHECK(neat_http_exchange_set_url(exchange, HOST, strlen(HOST)) == NEAT_STATUS_STATE);
  CHECK(neat_http_exchange_set_status(exchange, 7) == NEAT_STATUS_INVALID_ARGUMENT);
  if (response->status != 404) return;
  CHECK(neat_http_exchange_set_status(exchange, 200) == NEAT_STATUS_OK);
  CHECK(neat_http_exchange_set_header(exchange, "Cache-Control", 13, "no-store", 8) == NEAT_STATUS_OK);
  CHECK(neat_http_exchange_set_body(exchange, (const uint8_t *)STYLE, strlen(STYLE)) == NEAT_STATUS_OK);
}

static void intercepts(void) {
  neat_renderer *renderer = NULL;
  const neat_http_interceptor given = {
      .struct_size = sizeof given, .context = &destroyed_count, .send = on_send, .receive = on_receive,
      .destroy = destroy};
  CHECK(neat_set_http_interceptor(&given) == NEAT_STATUS_OK);
  CHECK(load("/moved.json", NULL, &renderer) == NEAT_STATUS_OK);
  neat_renderer_destroy(renderer);
  CHECK(has_key("from the interceptor"));
  /* A 404 that becomes a style. */
  CHECK(load("/nothing-there.json", NULL, &renderer) == NEAT_STATUS_OK);
  neat_renderer_destroy(renderer);
  fails("/forbidden", NEAT_STATUS_NETWORK, "not allowed");
  CHECK(destroyed_count == 0 && neat_set_http_interceptor(NULL) == NEAT_STATUS_OK && destroyed_count == 1);
  CHECK(load("/nothing-there.json", NULL, &renderer) == NEAT_STATUS_NOT_FOUND);
}

static void transform(
    void *context, neat_resource_kind kind, const char *url, size_t url_size, neat_transform *transform) {
  CHECK(context == &destroyed_count && (kind == NEAT_RESOURCE_STYLE || kind == NEAT_RESOURCE_GEOJSON));
  CHECK(neat_transform_set_url(transform, "", 0) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_transform_add_header(transform, "a:b", 3, "c", 1) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_transform_add_header(transform, "X-Key", 5, "SECRET", 6) == NEAT_STATUS_OK);
  if (url_size == 6 && memcmp(url, "my:map", 6) == 0)
    CHECK(neat_transform_set_url(transform, HOST "/style.json", strlen(HOST "/style.json")) == NEAT_STATUS_OK);
  if (memmem(url, url_size, "forbidden", 9) != NULL)
    CHECK(neat_transform_refuse(transform, "not allowed", 11) == NEAT_STATUS_OK);
}

static void transforms(void) {
  neat_resources *resources = NULL;
  neat_renderer *renderer = NULL;
  CHECK(neat_resources_create("{\"headers\":{\"x-key\":\"none\"}}", 28, &resources) == NEAT_STATUS_OK);
  CHECK(neat_resources_set_transform(NULL, transform, NULL, NULL) == NEAT_STATUS_INVALID_ARGUMENT);
  destroyed_count = 0;
  CHECK(neat_resources_set_transform(resources, transform, &destroyed_count, destroy) == NEAT_STATUS_OK);
  const neat_options options = {.struct_size = sizeof options, .resources = resources};
  /* A scheme of one's own. */
  CHECK(neat_renderer_load("my:map", 6, &options, &renderer) == NEAT_STATUS_OK);
  neat_renderer_destroy(renderer);
  CHECK(has_key("SECRET"));
  draws(&options);
  const size_t count = now(&service.asked_count);
  CHECK(load("/forbidden", &options, &renderer) == NEAT_STATUS_UNSUPPORTED);
  CHECK(strstr(neat_last_error(), "not allowed") != NULL && now(&service.asked_count) == count);
  CHECK(load("/missing", &options, &renderer) == NEAT_STATUS_NOT_FOUND);
  CHECK(strstr(neat_last_error(), "SECRET") == NULL);
  CHECK(destroyed_count == 0);
  CHECK(neat_resources_set_transform(resources, NULL, NULL, NULL) == NEAT_STATUS_OK && destroyed_count == 1);
  CHECK(neat_resources_set_transform(resources, transform, &destroyed_count, destroy) == NEAT_STATUS_OK);
  neat_resources_destroy(resources);
  /* The thread of the requests may be the last to let go. */
  for (int waits = 0; waits < 10000 && __atomic_load_n(&destroyed_count, __ATOMIC_ACQUIRE) != 2; waits++)
    usleep(1000);
  CHECK(__atomic_load_n(&destroyed_count, __ATOMIC_ACQUIRE) == 2);
}

int main(void) {
  refusals_before();
  const neat_http_service given = {
      .struct_size = sizeof given, .context = &service, .request = request, .cancel = cancel};
  CHECK(neat_set_http_service(&given) == NEAT_STATUS_OK);
  CHECK(neat_set_http_service(&given) == NEAT_STATUS_STATE);
  pthread_t thread;
  CHECK(pthread_create(&thread, NULL, work, NULL) == 0);
  draws(NULL);
  a_map_draws();
  fails("/tls", NEAT_STATUS_NETWORK, "no certificate");
  fails("/none", NEAT_STATUS_NOT_FOUND, "none");
  fails("/status", NEAT_STATUS_NETWORK, "42");
  fails("/no-headers", NEAT_STATUS_NETWORK, "headers is NULL");
  fails("/no-body", NEAT_STATUS_NETWORK, "body is NULL");
  fails("/kind", NEAT_STATUS_NETWORK, "why");
  fails("/megabytes", NEAT_STATUS_NETWORK, "1048576");
  fails("/size", NEAT_STATUS_NETWORK, "1048576");
  answers_to_what_is_gone();
  intercepts();
  transforms();
  pthread_mutex_lock(&service.lock);
  service.is_over = 1;
  pthread_cond_signal(&service.changed);
  pthread_mutex_unlock(&service.lock);
  pthread_join(thread, NULL);
  puts("a service of the host's answers");
  return 0;
}
