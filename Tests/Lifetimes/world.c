#define _GNU_SOURCE
#include "world.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

char world_geojson[1 << 18];

static char folder[64];
static pid_t owner;
static char served_style[4096], file_style[4096];

static void make_geojson(void) {
  char *end = world_geojson + sprintf(world_geojson, "{\"type\":\"FeatureCollection\",\"features\":[");
  for (int n = 0; n < 1000; n++) {
    double lon = (n % 40) * 9 - 178, lat = (n / 40) * 6 - 74;
    const char *comma = n == 0 ? "" : ",";
    if (n % 2 == 0)
      end += sprintf(
          end,
          "%s{\"type\":\"Feature\",\"id\":%d,\"properties\":{\"name\":\"point %d\",\"rank\":%d},"
          "\"geometry\":{\"type\":\"Point\",\"coordinates\":[%g,%g]}}",
          comma, n, n, n % 10, lon, lat);
    else
      end += sprintf(
          end,
          "%s{\"type\":\"Feature\",\"id\":%d,\"properties\":{\"rank\":%d},\"geometry\":{\"type\":\"Polygon\","
          "\"coordinates\":[[[%g,%g],[%g,%g],[%g,%g],[%g,%g],[%g,%g]]]}}",
          comma, n, n % 10, lon, lat, lon + 4, lat, lon + 4, lat + 4, lon, lat + 4, lon, lat);
  }
  sprintf(end, "]}");
}

const char *world_path(const char *name) {
  static char path[128];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

static void remove_folder(void) {
  if (getpid() != owner) return;
  char command[128];
  snprintf(command, sizeof command, "rm -rf '%s'", folder);
  if (system(command) != 0) fprintf(stderr, "%s stays\n", folder);
}

neat_buffer *world_tile(void) {
  neat_geojson *geojson = NULL;
  neat_tile *tile = NULL;
  neat_buffer *bytes = NULL;
  OK(neat_geojson_parse(world_geojson, strlen(world_geojson), NULL, 0, &geojson));
  OK(neat_geojson_tile(geojson, 0, 0, 0, &tile));
  OK(neat_tile_encode_mvt(tile, &bytes));
  neat_tile_destroy(tile);
  neat_geojson_destroy(geojson);
  return bytes;
}

static void write_archive(const char *path) {
  neat_archive_writer *writer = NULL;
  neat_buffer *tile = world_tile();
  OK(neat_archive_writer_create(path, strlen(path), NULL, 0, &writer));
  OK(neat_archive_writer_add(writer, 0, 0, 0, neat_buffer_data(tile), neat_buffer_size(tile)));
  const char *json = "{\"vector_layers\":[{\"id\":\"geojson\",\"fields\":{}}]}";
  OK(neat_archive_writer_finish(writer, json, strlen(json)));
  neat_archive_writer_destroy(writer);
  neat_buffer_destroy(tile);
}

/* Answers every request on every connection with the GeoJSON, one after the other. */
static void serve(int listener) {
  signal(SIGPIPE, SIG_IGN);
  for (;;) {
    int connection = accept(listener, NULL, NULL);
    if (connection < 0) continue;
    char request[4096];
    size_t size = 0;
    while (size < sizeof request - 1) {
      ssize_t count = read(connection, request + size, sizeof request - 1 - size);
      if (count <= 0) break;
      size += (size_t)count;
      request[size] = 0;
      if (strstr(request, "\r\n\r\n") != NULL) break;
    }
    char head[256];
    int head_size = snprintf(
        head, sizeof head,
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %zu\r\n"
        "Connection: close\r\n\r\n",
        strlen(world_geojson));
    if (write(connection, head, (size_t)head_size) == head_size) {
      const char *rest = world_geojson;
      while (*rest != 0) {
        ssize_t count = write(connection, rest, strlen(rest));
        if (count <= 0) break;
        rest += count;
      }
    }
    close(connection);
  }
}

static int start_server(void) {
  int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t size = sizeof address;
  if (listener < 0 || bind(listener, (struct sockaddr *)&address, size) != 0 || listen(listener, 128) != 0 ||
      getsockname(listener, (struct sockaddr *)&address, &size) != 0) {
    perror("no server");
    exit(1);
  }
  pid_t parent = getpid(), child = fork();
  if (child < 0) {
    perror("no process for the server");
    exit(1);
  }
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(0);
    serve(listener);
  }
  close(listener);
  return ntohs(address.sin_port);
}

static void make_style(char *style, size_t room, const char *data) {
  snprintf(
      style, room,
      "{\"version\":8,\"sources\":{\"points\":{\"type\":\"geojson\",\"data\":\"%s\"},"
      "\"tiles\":{\"type\":\"vector\",\"url\":\"mbtiles://%s/world.mbtiles\"}},\"layers\":["
      "{\"id\":\"sea\",\"type\":\"background\",\"paint\":{\"background-color\":\"#acf\"}},"
      "{\"id\":\"land\",\"type\":\"fill\",\"source\":\"tiles\",\"source-layer\":\"geojson\",\"filter\":[\"=="
      "\",[\"geometry-type\"],\"Polygon\"],"
      "\"paint\":{\"fill-color\":[\"interpolate\",[\"linear\"],[\"zoom\"],0,\"#484\",10,\"#888\"]}},"
      "{\"id\":\"places\",\"type\":\"circle\",\"source\":\"points\",\"filter\":[\"==\",[\"geometry-type\"],"
      "\"Point\"],"
      "\"paint\":{\"circle-radius\":[\"interpolate\",[\"linear\"],[\"zoom\"],0,[\"get\",\"rank\"],10,20],"
      "\"circle-color\":\"#c33\"}},"
      "{\"id\":\"names\",\"type\":\"symbol\",\"source\":\"points\",\"layout\":{\"text-field\":[\"get\","
      "\"name\"],"
      "\"text-size\":[\"step\",[\"zoom\"],8,4,12]}}]}",
      data, folder);
}

void world_begin(void) {
  owner = getpid();
  make_geojson();
  strcpy(folder, "/tmp/neatline-lifetimes-XXXXXX");
  if (mkdtemp(folder) == NULL) {
    perror("no folder for files");
    exit(1);
  }
  int port = start_server();
  atexit(remove_folder);
  write_archive(world_path("world.mbtiles"));
  write_archive(world_path("world.pmtiles"));
  FILE *file = fopen(world_path("world.geojson"), "w");
  CHECK(file != NULL && fputs(world_geojson, file) >= 0 && fclose(file) == 0);
  char data[128];
  snprintf(data, sizeof data, "http://127.0.0.1:%d/world.geojson", port);
  make_style(served_style, sizeof served_style, data);
  snprintf(data, sizeof data, "%s/world.geojson", folder);
  make_style(file_style, sizeof file_style, data);
}

const char *world_style(void) { return served_style; }
const char *world_style_of_files(void) { return file_style; }

neat_renderer *world_renderer(const char *style) {
  neat_options options = {.struct_size = sizeof options, .thread_count = 3};
  neat_renderer *renderer = NULL;
  OK(neat_renderer_create(style, strlen(style), NULL, 0, &options, &renderer));
  return renderer;
}

neat_image *world_draw(neat_renderer *renderer) {
  neat_camera camera = {.struct_size = sizeof camera, .zoom = -1};
  neat_size size = {.struct_size = sizeof size, .width_px = 128, .height_px = 128};
  neat_image *image = NULL;
  OK(neat_renderer_draw(renderer, &camera, &size, 5000, &image));
  neat_buffer *problems = NULL;
  OK(neat_renderer_problems(renderer, &problems));
  if (neat_buffer_size(problems) != 2) fprintf(stderr, "%s\n", (const char *)neat_buffer_data(problems));
  CHECK(neat_buffer_size(problems) == 2);
  neat_buffer_destroy(problems);
  return image;
}

unsigned long world_hash(const neat_image *image) {
  size_t size = (size_t)neat_image_width_px(image) * neat_image_height_px(image) * 4;
  const uint8_t *pixels = neat_image_pixels(image);
  unsigned long hash = 14695981039346656037u;
  for (size_t n = 0; n < size; n++) hash = (hash ^ pixels[n]) * 1099511628211u;
  return hash;
}
