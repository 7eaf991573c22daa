/* An HTTP stack of one's own: the map is at https://maps.example, which is a folder of this machine.
 *
 *   service FOLDER OUT.png      draws https://maps.example/style.json, and says what was asked for
 *
 * A service begins each request and returns at once; it answers later, by any thread. This one has no connections to
 * wait for and answers from within the call, which is allowed too. */
#include <neatline.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HOST "https://maps.example/"

static int failed(const char *what) {
  fprintf(stderr, "%s: %s\n", what, neat_last_error());
  return 1;
}

/* The file at an address, or NULL. */
static FILE *open_page(const char *folder, const neat_http_request *request) {
  char path[1024];
  const size_t host = strlen(HOST);
  if (request->url_size <= host || memcmp(request->url, HOST, host) != 0) return NULL;
  const int size = snprintf(path, sizeof path, "%s/%.*s", folder, (int)(request->url_size - host), request->url + host);
  if (size < 0 || (size_t)size >= sizeof path || strstr(path, "..") != NULL) return NULL;
  return fopen(path, "rb");
}

static void answer(void *folder, const neat_http_request *request) {
  printf("asked for %.*s\n", (int)request->url_size, request->url);
  const neat_http_header headers[] = {{"cache-control", 13, "max-age=3600", 12}};
  uint8_t *bytes = NULL;
  size_t size = 0, room = 0;
  uint32_t status = 404;
  FILE *file = open_page(folder, request);
  if (file != NULL) {
    status = 200;
    while (!feof(file) && !ferror(file)) {
      if (size == room) {
        room = room == 0 ? 65536 : 2 * room;
        uint8_t *larger = realloc(bytes, room);
        if (larger == NULL) break;
        bytes = larger;
      }
      size += fread(bytes + size, 1, room - size, file);
    }
    /* What broke off is no answer. */
    if (!feof(file)) status = 500;
    fclose(file);
  }
  /* The status says where nobody waits any more, or the answer is none; here it is neither. */
  if (neat_http_respond(request->id, status, headers, 1, bytes, status == 200 ? size : 0) != NEAT_STATUS_OK)
    failed("the answer");
  free(bytes);
}

int main(int count, char **arguments) {
  if (count != 3) {
    fprintf(stderr, "usage: service FOLDER OUT.png\n");
    return 2;
  }
  /* Before anything is asked for, once. */
  const neat_http_service service = {
      .struct_size = sizeof service, .context = arguments[1], .request = answer};
  if (neat_set_http_service(&service) != NEAT_STATUS_OK) return failed("the service");

  neat_renderer *renderer = NULL;
  if (neat_renderer_load(HOST "style.json", strlen(HOST "style.json"), NULL, &renderer) != NEAT_STATUS_OK)
    return failed("the style");
  const neat_size size = {.struct_size = sizeof size, .width_px = 512, .height_px = 256};
  neat_image *image = NULL;
  neat_buffer *png = NULL;
  if (neat_renderer_draw(renderer, NULL, &size, 30000, &image) != NEAT_STATUS_OK) return failed("the picture");
  if (neat_image_encode_png(image, NEAT_PNG_MODE_FAST, &png) != NEAT_STATUS_OK) return failed("the PNG");
  FILE *out = fopen(arguments[2], "wb");
  if (out == NULL || fwrite(neat_buffer_data(png), 1, neat_buffer_size(png), out) != neat_buffer_size(png)) {
    perror(arguments[2]);
    return 1;
  }
  fclose(out);
  printf("%u x %u pixels, complete: %d\n", neat_image_width_px(image), neat_image_height_px(image),
         neat_image_is_complete(image));
  neat_buffer_destroy(png);
  neat_image_destroy(image);
  neat_renderer_destroy(renderer);
  return 0;
}
