/* Draws a style with OpenGL ES 3, without a window: gles STYLE OUT.png [options]

   --camera LON,LAT,ZOOM[,BEARING,PITCH]   else the style's own
   --size WIDTH,HEIGHT[,RATIO]             512,512,1
   --compare REFERENCE.png                 draws the same view on the CPU too, writes that, and prints how the
   two differ
   --mean LIMIT                            with --compare: fails where the mean difference (0 to 255) is
   larger
   --share LIMIT                           with --compare: fails where more than this share of the pixels (0
   to 1) differ by more than 32

   Leaves with 77 where there is no EGL display or no OpenGL ES 3: a skipped test. */
#include "painter.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_SKIPPED = 77 };

typedef struct options {
  const char *style, *out, *reference;
  /* The layer that triangles of its own go below; NULL: there are none. */
  const char *below;
  neat_camera camera;
  neat_size size;
  double mean_limit, share_limit;
} options;

static int parse(int argc, char **argv, options *options) {
  if (argc < 3 || argc % 2 == 0) return 0;
  options->style = argv[1];
  options->out = argv[2];
  for (int i = 3; i + 1 < argc; i += 2) {
    const char *name = argv[i], *value = argv[i + 1];
    neat_camera *camera = &options->camera;
    neat_size *size = &options->size;
    if (strcmp(name, "--camera") == 0) {
      camera->use_style = 0;
      if (sscanf(
              value, "%lf,%lf,%lf,%lf,%lf", &camera->lon_deg, &camera->lat_deg, &camera->zoom,
              &camera->bearing_deg, &camera->pitch_deg)
          < 3)
        return 0;
    } else if (strcmp(name, "--size") == 0) {
      if (sscanf(value, "%u,%u,%lf", &size->width_px, &size->height_px, &size->pixel_ratio) < 2) return 0;
    } else if (strcmp(name, "--compare") == 0) {
      options->reference = value;
    } else if (strcmp(name, "--mean") == 0) {
      options->mean_limit = atof(value);
    } else if (strcmp(name, "--share") == 0) {
      options->share_limit = atof(value);
    } else if (strcmp(name, "--triangles-below") == 0) {
      options->below = value;
    } else {
      return 0;
    }
  }
  return 1;
}

static int fail(const char *what) {
  fprintf(stderr, "%s: %s\n", what, neat_last_error());
  return 1;
}

/* ---------------------------------------------------------------- the context */

/* An OpenGL ES 3 context without a surface: Mesa's surfaceless platform, else whatever display there is. */
static EGLContext open_context(EGLDisplay *display) {
  const EGLint config_wishes[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_ES3_BIT, EGL_SURFACE_TYPE, 0, EGL_NONE};
  const EGLint context_wishes[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_NONE};
  for (int attempt = 0; attempt < 2; attempt++) {
    *display = attempt == 0 ? eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL)
                            : eglGetDisplay(EGL_DEFAULT_DISPLAY);
    if (*display == EGL_NO_DISPLAY || !eglInitialize(*display, NULL, NULL)) continue;
    EGLConfig config = NULL;
    EGLint count = 0;
    eglBindAPI(EGL_OPENGL_ES_API);
    if (!eglChooseConfig(*display, config_wishes, &config, 1, &count) || count == 0) continue;
    EGLContext context = eglCreateContext(*display, config, EGL_NO_CONTEXT, context_wishes);
    if (context != EGL_NO_CONTEXT && eglMakeCurrent(*display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
      return context;
  }
  return EGL_NO_CONTEXT;
}

/* ---------------------------------------------------------------- pictures */

static int write_png(const char *path, const neat_image *image) {
  neat_buffer *png = NULL;
  if (neat_image_encode_png(image, NEAT_PNG_MODE_FAST, &png) != NEAT_STATUS_OK) return fail(path);
  FILE *file = fopen(path, "wb");
  int failed =
      file == NULL || fwrite(neat_buffer_data(png), 1, neat_buffer_size(png), file) != neat_buffer_size(png);
  if (file != NULL) failed |= fclose(file) != 0;
  if (failed) perror(path);
  neat_buffer_destroy(png);
  return failed;
}

/* Draws into a texture of the frame's size and reads it back, rows from the top. */
static neat_image *draw_frame(const neat_frame *frame) {
  neat_frame_info info = {.struct_size = sizeof info};
  if (neat_frame_describe(frame, &info) != NEAT_STATUS_OK) return NULL;
  size_t row = (size_t)info.width_px * 4;
  uint8_t *pixels = malloc(row * info.height_px * 2);
  painter painter;
  neat_image *image = NULL;
  if (pixels == NULL) return NULL;
  if (!painter_create(&painter)) {
    painter_destroy(&painter);
    free(pixels);
    return NULL;
  }
  GLuint target, attachments[2];
  glGenFramebuffers(1, &target);
  glBindFramebuffer(GL_FRAMEBUFFER, target);
  glGenRenderbuffers(2, attachments);
  glBindRenderbuffer(GL_RENDERBUFFER, attachments[0]);
  glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, (GLsizei)info.width_px, (GLsizei)info.height_px);
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, attachments[0]);
  glBindRenderbuffer(GL_RENDERBUFFER, attachments[1]);
  glRenderbufferStorage(
      GL_RENDERBUFFER, GL_DEPTH24_STENCIL8, (GLsizei)info.width_px, (GLsizei)info.height_px);
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_RENDERBUFFER, attachments[1]);
  if (glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE) {
    glClearColor(0, 0, 0, 0);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
    if (painter_draw(&painter, frame)) {
      uint8_t *upright = pixels + row * info.height_px;
      glReadPixels(0, 0, (GLsizei)info.width_px, (GLsizei)info.height_px, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
      for (uint32_t y = 0; y < info.height_px; y++)
        memcpy(upright + row * y, pixels + row * (info.height_px - 1 - y), row);
      if (neat_image_create(info.width_px, info.height_px, upright, &image) != NEAT_STATUS_OK) {
        fprintf(stderr, "%s\n", neat_last_error());
      }
    }
  }
  glDeleteRenderbuffers(2, attachments);
  glDeleteFramebuffers(1, &target);
  painter_destroy(&painter);
  free(pixels);
  return image;
}

/* Prints how two pictures of one size differ; 0 where that is within the limits. */
static int compare(const neat_image *a, const neat_image *b, const options *options) {
  size_t count = (size_t)neat_image_width_px(a) * neat_image_height_px(a), differing = 0;
  if (count != (size_t)neat_image_width_px(b) * neat_image_height_px(b)) return 1;
  const uint8_t *p = neat_image_pixels(a), *q = neat_image_pixels(b);
  double sum = 0;
  for (size_t i = 0; i < count; i++) {
    int largest = 0;
    for (size_t channel = 0; channel < 4; channel++) {
      int difference = abs(p[i * 4 + channel] - q[i * 4 + channel]);
      sum += difference;
      if (difference > largest) largest = difference;
    }
    differing += largest > 32;
  }
  double mean = sum / (double)(count * 4), share = (double)differing / (double)count;
  printf("mean difference %.4f of 255, %.4f %% of the pixels differ by more than 32\n", mean, share * 100);
  return mean > options->mean_limit || share > options->share_limit;
}

/* ---------------------------------------------------------------- triangles of its own */

/* A kite over the view, red to yellow, partly seen through. The same call draws it on pixels and in frames. */
static neat_status draw_kite(void *context, const neat_custom_view *view, char *message, size_t message_size) {
  (void)context, (void)message, (void)message_size;
  double lon = view->camera->lon_deg, lat = view->camera->lat_deg;
  const neat_custom_vertex corners[4] = {
      {lon - 12, lat, 0, {0.8f, 0, 0, 0.8f}},
      {lon, lat + 8, 0, {0.8f, 0.6f, 0, 0.8f}},
      {lon + 12, lat, 0, {0.8f, 0, 0, 0.8f}},
      {lon, lat - 14, 0, {0.3f, 0.3f, 0, 0.3f}}};
  static const uint32_t indices[6] = {0, 1, 2, 0, 2, 3};
  return neat_custom_draw_triangles(view->target, NEAT_CUSTOM_UNITS_DEGREES, corners, 4, indices, 6);
}

/* A map of the style with the kite between its layers: its frame, and its picture where that is asked for. */
static neat_status draw_map(const options *options, neat_frame **frame, neat_image **picture) {
  neat_loop *loop = NULL;
  neat_map *map = NULL;
  neat_custom_layer layer = {.struct_size = sizeof layer, .render = draw_kite};
  char position[256];
  int size = snprintf(position, sizeof position, "{\"below\":\"%s\"}", options->below);
  neat_status status = neat_loop_create(&loop);
  if (status == NEAT_STATUS_OK) status = neat_map_create(loop, &options->size, NULL, NULL, NULL, &map);
  if (status == NEAT_STATUS_OK) status = neat_map_load_style(map, options->style, strlen(options->style));
  if (status == NEAT_STATUS_OK && !options->camera.use_style) {
    status = neat_map_set_camera(map, &options->camera);
  }
  if (status == NEAT_STATUS_OK) {
    neat_loop_run(loop, 60000);
    status = neat_map_add_custom_layer(map, "kite", 4, position, (size_t)size, &layer);
    neat_loop_run(loop, 60000);
  }
  if (status == NEAT_STATUS_OK) status = neat_map_frame(map, frame);
  if (status == NEAT_STATUS_OK) status = neat_map_draw(map, picture);
  neat_map_destroy(map);
  neat_loop_destroy(loop);
  return status;
}

static neat_status get_frame(
    neat_renderer *renderer, const options *options, neat_frame **frame, neat_image **picture) {
  if (options->below != NULL) return draw_map(options, frame, picture);
  return neat_renderer_frame(renderer, &options->camera, &options->size, 60000, frame);
}

static int draw_both(neat_renderer *renderer, const options *options) {
  neat_frame *frame = NULL;
  neat_image *image = NULL, *reference = NULL;
  int code = 1;
  if (get_frame(renderer, options, &frame, &reference) != NEAT_STATUS_OK) {
    fail(options->style);
  } else if ((image = draw_frame(frame)) == NULL) {
    fprintf(stderr, "%s cannot be drawn\n", options->style);
  } else {
    neat_frame_info info = {.struct_size = sizeof info};
    if (neat_frame_describe(frame, &info) == NEAT_STATUS_OK) {
      printf(
          "%zu commands, %zu buffers, %zu textures\n", info.command_count, info.buffer_count,
          info.texture_count);
    }
    code = write_png(options->out, image);
    if (code == 0 && options->reference != NULL) {
      if (reference == NULL
          && neat_renderer_draw(renderer, &options->camera, &options->size, 60000, &reference)
                 != NEAT_STATUS_OK) {
        code = fail(options->style);
      } else {
        code = write_png(options->reference, reference) | compare(image, reference, options);
      }
    }
  }
  neat_image_destroy(reference);
  neat_image_destroy(image);
  neat_frame_destroy(frame);
  return code;
}

int main(int argc, char **argv) {
  options options = {
      .camera = {.struct_size = sizeof(neat_camera), .use_style = 1},
      .size = {sizeof(neat_size), 512, 512, 1},
      .mean_limit = 255,
      .share_limit = 1};
  if (!parse(argc, argv, &options)) {
    fprintf(
        stderr,
        "usage: gles STYLE OUT.png [--camera LON,LAT,ZOOM[,BEARING,PITCH]] [--size WIDTH,HEIGHT[,RATIO]]\n"
        "            [--compare REFERENCE.png] [--mean LIMIT] [--share LIMIT] [--triangles-below LAYER]\n");
    return 2;
  }
  EGLDisplay display = EGL_NO_DISPLAY;
  EGLContext context = open_context(&display);
  if (context == EGL_NO_CONTEXT) {
    fprintf(stderr, "skipped: no EGL display with OpenGL ES 3\n");
    return EXIT_SKIPPED;
  }
  /* Triangles of OpenGL have no smooth edges either. */
  neat_options settings = {.struct_size = sizeof settings, .no_smooth_edges = 1};
  neat_renderer *renderer = NULL;
  int code = 1;
  if (neat_renderer_load(options.style, strlen(options.style), &settings, &renderer) == NEAT_STATUS_OK) {
    code = draw_both(renderer, &options);
  } else {
    fail(options.style);
  }
  neat_renderer_destroy(renderer);
  eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
  eglDestroyContext(display, context);
  eglTerminate(display);
  return code;
}
