/* Draws a style to a PNG: draw STYLE OUT.png [LON LAT ZOOM] */
#include <neatline.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int fail(const char *what, neat_status status) {
  fprintf(stderr, "%s: %s: %s\n", what, neat_status_name(status), neat_last_error());
  return 1;
}

/* What the picture had to do without: the members of a JSON object, where there is anything. */
static void print_missing(const neat_image *image) {
  neat_buffer *report = NULL;
  if (neat_image_missing_count(image) == 0 || neat_image_report(image, &report) != NEAT_STATUS_OK) return;
  fprintf(stderr, "%s\n", (const char *)neat_buffer_data(report));
  neat_buffer_destroy(report);
}

static int write_file(const char *path, const neat_buffer *bytes) {
  FILE *file = fopen(path, "wb");
  if (file == NULL) {
    perror(path);
    return 1;
  }
  size_t size = neat_buffer_size(bytes);
  int failed = fwrite(neat_buffer_data(bytes), 1, size, file) != size;
  failed |= fclose(file) != 0;
  if (failed) perror(path);
  return failed;
}

int main(int argc, char **argv) {
  if (argc != 3 && argc != 6) {
    fprintf(stderr, "usage: draw STYLE OUT.png [LON LAT ZOOM]\n");
    return 2;
  }
  if (neat_abi_version() != NEAT_ABI_VERSION) {
    fprintf(stderr, "neatline.h is of version %d, the library of %u\n", NEAT_ABI_VERSION, neat_abi_version());
    return 1;
  }

  neat_renderer *renderer = NULL;
  neat_status status = neat_renderer_load(argv[1], strlen(argv[1]), NULL, &renderer);
  if (status != NEAT_STATUS_OK) return fail(argv[1], status);

  neat_camera camera = {.struct_size = sizeof camera, .use_style = argc == 3};
  if (argc == 6) {
    camera.lon_deg = atof(argv[3]);
    camera.lat_deg = atof(argv[4]);
    camera.zoom = atof(argv[5]);
  }
  neat_size size = {.struct_size = sizeof size, .width_px = 512, .height_px = 512, .pixel_ratio = 2};
  neat_image *image = NULL;
  neat_buffer *png = NULL;
  int code = 0;

  status = neat_renderer_draw(renderer, &camera, &size, 30000, &image);
  if (status == NEAT_STATUS_OK) status = neat_image_encode_png(image, NEAT_PNG_MODE_SMALL, &png);
  if (status == NEAT_STATUS_OK) {
    code = write_file(argv[2], png);
    printf(
        "%s: %u x %u pixels, %zu bytes\n", argv[2], neat_image_width_px(image), neat_image_height_px(image),
        neat_buffer_size(png));
    print_missing(image);
  } else {
    code = fail(argv[1], status);
  }

  neat_buffer_destroy(png);
  neat_image_destroy(image);
  neat_renderer_destroy(renderer);
  return code;
}
