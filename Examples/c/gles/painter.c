#include "painter.h"

#include "shaders.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

/* ---------------------------------------------------------------- programs */

static GLuint compile(GLenum type, const char *source) {
  GLuint shader = glCreateShader(type);
  glShaderSource(shader, 1, &source, NULL);
  glCompileShader(shader);
  GLint ok = 0;
  glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
  if (!ok) {
    char log[2048] = "";
    glGetShaderInfoLog(shader, sizeof log, NULL, log);
    fprintf(stderr, "a shader does not compile: %s\n", log);
  }
  return shader;
}

static GLuint link_program(const char *vertex, const char *fragment) {
  GLuint program = glCreateProgram();
  GLuint shaders[2] = {compile(GL_VERTEX_SHADER, vertex), compile(GL_FRAGMENT_SHADER, fragment)};
  for (int i = 0; i < 2; i++) {
    glAttachShader(program, shaders[i]);
    glDeleteShader(shaders[i]);
  }
  glLinkProgram(program);
  GLint ok = 0;
  glGetProgramiv(program, GL_LINK_STATUS, &ok);
  if (ok) return program;
  char log[2048] = "";
  glGetProgramInfoLog(program, sizeof log, NULL, log);
  fprintf(stderr, "a program does not link: %s\n", log);
  glDeleteProgram(program);
  return 0;
}

int painter_create(painter *painter) {
  const char *sources[PROGRAM_COUNT][2] = {
      {fill_vertex, fill_fragment},           {fill_vertex, outline_fragment},
      {line_vertex, line_fragment},           {circle_vertex, circle_fragment},
      {picture_vertex, picture_fragment},     {symbol_vertex, symbol_fragment},
      {extrusion_vertex, extrusion_fragment}, {custom_vertex, custom_fragment},
  };
  int ok = 1;
  for (int i = 0; i < PROGRAM_COUNT; i++) {
    painter->programs[i] = link_program(sources[i][0], sources[i][1]);
    ok = ok && painter->programs[i] != 0;
  }
  return ok;
}

void painter_destroy(painter *painter) {
  for (int i = 0; i < PROGRAM_COUNT; i++) glDeleteProgram(painter->programs[i]);
}

/* ---------------------------------------------------------------- buffers and textures
 *
 * All are uploaded anew for each frame. A program that draws many frames keeps them by their id and uploads
 * only ids that it has not seen. */

typedef struct scene {
  const neat_frame *frame;
  neat_frame_info info;
  neat_frame_buffer *buffers;
  neat_frame_texture *textures;
  GLuint *buffer_names;
  GLuint *texture_names;
} scene;

static int upload(scene *scene) {
  glGenBuffers((GLsizei)scene->info.buffer_count, scene->buffer_names);
  for (size_t i = 0; i < scene->info.buffer_count; i++) {
    neat_frame_buffer *buffer = &scene->buffers[i];
    buffer->struct_size = sizeof *buffer;
    if (neat_frame_buffer_at(scene->frame, i, buffer) != NEAT_STATUS_OK) return 0;
    /* Which target it is uploaded through does not matter. */
    glBindBuffer(GL_ARRAY_BUFFER, scene->buffer_names[i]);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(buffer->count * buffer->stride), buffer->data, GL_STATIC_DRAW);
  }
  glGenTextures((GLsizei)scene->info.texture_count, scene->texture_names);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  for (size_t i = 0; i < scene->info.texture_count; i++) {
    neat_frame_texture *texture = &scene->textures[i];
    texture->struct_size = sizeof *texture;
    if (neat_frame_texture_at(scene->frame, i, texture) != NEAT_STATUS_OK) return 0;
    int is_color = texture->format == NEAT_FRAME_FORMAT_RGBA8;
    glBindTexture(GL_TEXTURE_2D, scene->texture_names[i]);
    glTexImage2D(
        GL_TEXTURE_2D, 0, is_color ? GL_RGBA8 : GL_R8, (GLsizei)texture->width_px,
        (GLsizei)texture->height_px, 0, is_color ? GL_RGBA : GL_RED, GL_UNSIGNED_BYTE, texture->pixels);
  }
  return 1;
}

static void bind_texture(
    const scene *scene, int unit, int32_t number, GLint filter, GLint wrap_s, GLint wrap_t) {
  glActiveTexture(GL_TEXTURE0 + (GLenum)unit);
  glBindTexture(GL_TEXTURE_2D, number < 0 ? 0 : scene->texture_names[number]);
  if (number < 0) return;
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, filter);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, filter);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, wrap_s);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, wrap_t);
}

/* ---------------------------------------------------------------- vertices */

typedef struct attribute {
  GLint size;
  GLenum type;
  GLboolean normalized;
  size_t offset;
} attribute;

#define FLOATS(count, structure, member) {count, GL_FLOAT, GL_FALSE, offsetof(structure, member)}
#define COLOR(structure, member) {4, GL_UNSIGNED_BYTE, GL_TRUE, offsetof(structure, member)}

static const attribute fill_attributes[] = {FLOATS(2, neat_frame_fill_vertex, x)};
static const attribute fill_paint[] = {
    COLOR(neat_frame_fill_paint, color), FLOATS(1, neat_frame_fill_paint, opacity)};
static const attribute line_attributes[] = {
    FLOATS(2, neat_frame_line_vertex, x),
    FLOATS(2, neat_frame_line_vertex, extrude_x),
    FLOATS(1, neat_frame_line_vertex, distance),
    {1, GL_UNSIGNED_BYTE, GL_FALSE, offsetof(neat_frame_line_vertex, flags)},
    {1, GL_BYTE, GL_FALSE, offsetof(neat_frame_line_vertex, direction)}};
static const attribute line_paint[] = {
    COLOR(neat_frame_line_paint, color), FLOATS(1, neat_frame_line_paint, opacity),
    FLOATS(4, neat_frame_line_paint, width_px), FLOATS(2, neat_frame_line_paint, floor_width_px)};
static const attribute circle_attributes[] = {
    FLOATS(2, neat_frame_circle_vertex, x),
    {2, GL_BYTE, GL_FALSE, offsetof(neat_frame_circle_vertex, corner_x)}};
static const attribute circle_paint[] = {
    COLOR(neat_frame_circle_paint, color), COLOR(neat_frame_circle_paint, stroke_color),
    FLOATS(2, neat_frame_circle_paint, opacity), FLOATS(3, neat_frame_circle_paint, radius_px)};
static const attribute extrusion_attributes[] = {
    FLOATS(2, neat_frame_extrusion_vertex, x), FLOATS(1, neat_frame_extrusion_vertex, level),
    FLOATS(3, neat_frame_extrusion_vertex, normal)};
static const attribute extrusion_paint[] = {
    COLOR(neat_frame_extrusion_paint, color), FLOATS(2, neat_frame_extrusion_paint, base_m)};
static const attribute picture_attributes[] = {
    FLOATS(2, neat_frame_picture_vertex, x), FLOATS(2, neat_frame_picture_vertex, u)};
static const attribute symbol_attributes[] = {
    FLOATS(2, neat_frame_symbol_vertex, x), FLOATS(2, neat_frame_symbol_vertex, u),
    COLOR(neat_frame_symbol_vertex, color), FLOATS(3, neat_frame_symbol_vertex, edge)};
static const attribute custom_attributes[] = {
    FLOATS(3, neat_frame_custom_vertex, x), COLOR(neat_frame_custom_vertex, color)};

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* Points `count` attributes from location `first` on to a buffer, at the command's first vertex; without a
 * buffer all of them are 0. */
static GLuint point(
    const scene *scene, int32_t number, uint32_t vertex, GLuint first, const attribute *list, size_t count) {
  for (size_t i = 0; i < count; i++) {
    GLuint location = first + (GLuint)i;
    if (number < 0) {
      glDisableVertexAttribArray(location);
      glVertexAttrib4f(location, 0, 0, 0, 0);
      continue;
    }
    uint32_t stride = scene->buffers[number].stride;
    glBindBuffer(GL_ARRAY_BUFFER, scene->buffer_names[number]);
    glEnableVertexAttribArray(location);
    glVertexAttribPointer(
        location, list[i].size, list[i].type, list[i].normalized, (GLsizei)stride,
        (const void *)((size_t)vertex * stride + list[i].offset));
  }
  return first + (GLuint)count;
}

static void point_all(
    const scene *scene, const neat_frame_command *command, const attribute *list, size_t count,
    const attribute *paint, size_t paint_count) {
  GLuint next = point(scene, command->vertex_buffer, command->vertex_offset, 0, list, count);
  next = point(scene, command->paint_buffer, command->vertex_offset, next, paint, paint_count);
  for (; next < 9; next++) glDisableVertexAttribArray(next);
}

static void draw_elements(const scene *scene, const neat_frame_command *command) {
  int is_wide = scene->buffers[command->index_buffer].layout == NEAT_FRAME_LAYOUT_INDEX32;
  glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, scene->buffer_names[command->index_buffer]);
  glDrawElements(
      command->primitive == NEAT_FRAME_PRIMITIVE_LINES ? GL_LINES : GL_TRIANGLES,
      (GLsizei)command->index_count, is_wide ? GL_UNSIGNED_INT : GL_UNSIGNED_SHORT,
      (const void *)((size_t)command->index_offset * (is_wide ? 4 : 2)));
}

/* ---------------------------------------------------------------- commands */

static GLint at(GLuint program, const char *name) { return glGetUniformLocation(program, name); }

/* Makes a program current, with what all of them have. */
static GLuint begin(
    const painter *painter, const scene *scene, const neat_frame_command *command, int number) {
  static const float everything[4] = {-1e30f, -1e30f, 1e30f, 1e30f};
  GLuint program = painter->programs[number];
  glUseProgram(program);
  glUniformMatrix4fv(at(program, "u_matrix"), 1, GL_FALSE, command->matrix);
  glUniform4fv(at(program, "u_clip"), 1, command->has_clip ? command->clip : everything);
  glUniform2f(at(program, "u_view"), (float)scene->info.width_px, (float)scene->info.height_px);
  glUniform1f(at(program, "u_ratio"), (float)scene->info.pixel_ratio);
  glUniform4fv(at(program, "u_color"), 1, command->color);
  glUniform1f(at(program, "u_opacity"), command->opacity);
  glUniform1i(at(program, "u_use"), (GLint)command->texture_use);
  glUniform1i(at(program, "u_texture"), 0);
  glUniform4f(
      at(program, "u_pattern"), command->pattern_scale[0], command->pattern_scale[1],
      command->pattern_offset[0], command->pattern_offset[1]);
  GLint wrap = command->texture_use == NEAT_FRAME_TEXTURE_USE_PATTERN ? GL_REPEAT : GL_CLAMP_TO_EDGE;
  bind_texture(scene, 0, command->texture, command->is_nearest ? GL_NEAREST : GL_LINEAR, wrap, wrap);
  return program;
}

static void draw_fill(const painter *painter, const scene *scene, const neat_frame_command *command) {
  begin(
      painter, scene, command,
      command->kind == NEAT_FRAME_KIND_FILL_OUTLINE ? PROGRAM_OUTLINE : PROGRAM_FILL);
  point_all(scene, command, fill_attributes, COUNT(fill_attributes), fill_paint, COUNT(fill_paint));
  draw_elements(scene, command);
}

static void draw_line(const painter *painter, const scene *scene, const neat_frame_command *command) {
  const neat_frame_line *line = &command->line;
  GLuint program = begin(painter, scene, command, PROGRAM_LINE);
  glUniform4f(at(program, "u_widths"), line->width_px, line->gap_width_px, line->offset_px, line->blur_px);
  glUniform1f(at(program, "u_floor"), line->floor_width_px);
  glUniform1f(at(program, "u_units"), line->units_per_px);
  glUniform1i(at(program, "u_dashes"), 1);
  float rows = line->dash_texture < 0 ? 0 : (float)scene->textures[line->dash_texture].height_px;
  glUniform3f(at(program, "u_dash"), line->dash_scale, line->dash_softness, rows);
  bind_texture(scene, 1, line->dash_texture, GL_LINEAR, GL_REPEAT, GL_CLAMP_TO_EDGE);
  point_all(scene, command, line_attributes, COUNT(line_attributes), line_paint, COUNT(line_paint));
  draw_elements(scene, command);
}

static void draw_circles(const painter *painter, const scene *scene, const neat_frame_command *command) {
  const neat_frame_circle *circle = &command->circle;
  GLuint program = begin(painter, scene, command, PROGRAM_CIRCLE);
  glUniform4fv(at(program, "u_stroke"), 1, circle->stroke_color);
  glUniform2f(at(program, "u_opacities"), command->opacity, circle->stroke_opacity);
  glUniform3f(at(program, "u_size"), circle->radius_px, circle->stroke_width_px, circle->blur);
  glUniform2fv(at(program, "u_squeeze"), 1, circle->squeeze);
  glUniform1f(at(program, "u_perspective"), circle->perspective);
  point_all(scene, command, circle_attributes, COUNT(circle_attributes), circle_paint, COUNT(circle_paint));
  draw_elements(scene, command);
}

static void draw_picture(const painter *painter, const scene *scene, const neat_frame_command *command) {
  GLuint program = begin(painter, scene, command, PROGRAM_PICTURE);
  glUniformMatrix3fv(at(program, "u_mix"), 1, GL_FALSE, command->color_matrix);
  glUniform3fv(at(program, "u_add"), 1, command->color_matrix + 9);
  point_all(scene, command, picture_attributes, COUNT(picture_attributes), NULL, 0);
  draw_elements(scene, command);
}

static void draw_symbols(const painter *painter, const scene *scene, const neat_frame_command *command) {
  begin(painter, scene, command, PROGRAM_SYMBOL);
  point_all(scene, command, symbol_attributes, COUNT(symbol_attributes), NULL, 0);
  draw_elements(scene, command);
}

static void draw_prisms(const painter *painter, const scene *scene, const neat_frame_command *command) {
  const neat_frame_extrusion *extrusion = &command->extrusion;
  GLuint program = begin(painter, scene, command, PROGRAM_EXTRUSION);
  glUniform2f(at(program, "u_heights"), extrusion->base_m, extrusion->height_m);
  glUniform3fv(at(program, "u_light"), 1, extrusion->light);
  glUniform3fv(at(program, "u_light_color"), 1, extrusion->light_color);
  glUniform1f(at(program, "u_intensity"), extrusion->light_intensity);
  glUniform1f(at(program, "u_gradient"), (float)extrusion->has_gradient);
  point_all(
      scene, command, extrusion_attributes, COUNT(extrusion_attributes), extrusion_paint,
      COUNT(extrusion_paint));
  draw_elements(scene, command);
}

static int get(const scene *scene, size_t index, neat_frame_command *command) {
  command->struct_size = sizeof *command;
  return neat_frame_command_at(scene->frame, index, command) == NEAT_STATUS_OK;
}

/* The extrusions of one layer, of all its tiles: their depth first, then the colour of what is in front, and
   the stencil lets no pixel be coloured twice (a building on the edge of two tiles is in both), so that the
   layer's opacity applies once. Where that is 1 the later of two that are equally near wins. Returns the
   number of the first command behind them. */
static size_t draw_extrusions(const painter *painter, const scene *scene, size_t first) {
  neat_frame_command command;
  size_t end = first;
  get(scene, first, &command);
  uint32_t layer = command.layer_index;
  int is_opaque = command.opacity >= 1;
  glEnable(GL_DEPTH_TEST);
  glEnable(GL_CULL_FACE);
  glEnable(GL_STENCIL_TEST);
  glClear(GL_STENCIL_BUFFER_BIT);
  glStencilOp(GL_KEEP, GL_KEEP, GL_REPLACE);
  for (int pass = 0; pass < 2; pass++) {
    GLboolean is_color = pass == 1;
    glColorMask(is_color, is_color, is_color, is_color);
    glDepthMask(!is_color);
    glDepthFunc(is_color ? GL_EQUAL : GL_LEQUAL);
    glStencilMask(is_color ? 0xFF : 0);
    glStencilFunc(is_color && !is_opaque ? GL_NOTEQUAL : GL_ALWAYS, 1, 0xFF);
    for (end = first; end < scene->info.command_count && get(scene, end, &command); end++) {
      if (command.kind != NEAT_FRAME_KIND_EXTRUSION || command.layer_index != layer) break;
      draw_prisms(painter, scene, &command);
    }
  }
  glDepthMask(GL_TRUE);
  glDisable(GL_STENCIL_TEST);
  glDisable(GL_CULL_FACE);
  glDisable(GL_DEPTH_TEST);
  return end;
}

/* Triangles of a custom layer: solid ones hide, and are hidden by, what stands on the ground. One without
   vertices is its place, where a program could draw by itself. */
static void draw_custom(const painter *painter, const scene *scene, const neat_frame_command *command) {
  if (command->vertex_buffer < 0) return;
  begin(painter, scene, command, PROGRAM_CUSTOM);
  point_all(scene, command, custom_attributes, COUNT(custom_attributes), NULL, 0);
  if (command->kind == NEAT_FRAME_KIND_CUSTOM_SOLID) {
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LEQUAL);
  }
  draw_elements(scene, command);
  glDisable(GL_DEPTH_TEST);
}

static void draw_commands(const painter *painter, const scene *scene) {
  neat_frame_command command;
  for (size_t i = 0; i < scene->info.command_count && get(scene, i, &command);) {
    switch (command.kind) {
      case NEAT_FRAME_KIND_BACKGROUND:
      case NEAT_FRAME_KIND_FILL:
      case NEAT_FRAME_KIND_FILL_OUTLINE: draw_fill(painter, scene, &command); break;
      case NEAT_FRAME_KIND_LINE: draw_line(painter, scene, &command); break;
      case NEAT_FRAME_KIND_CIRCLE: draw_circles(painter, scene, &command); break;
      case NEAT_FRAME_KIND_ICON:
      case NEAT_FRAME_KIND_TEXT: draw_symbols(painter, scene, &command); break;
      case NEAT_FRAME_KIND_RASTER:
      case NEAT_FRAME_KIND_HEATMAP:
      case NEAT_FRAME_KIND_HILLSHADE:
      case NEAT_FRAME_KIND_COLOR_RELIEF: draw_picture(painter, scene, &command); break;
      case NEAT_FRAME_KIND_EXTRUSION: i = draw_extrusions(painter, scene, i); continue;
      case NEAT_FRAME_KIND_CUSTOM:
      case NEAT_FRAME_KIND_CUSTOM_SOLID: draw_custom(painter, scene, &command); break;
      case NEAT_FRAME_KIND_UNSUPPORTED:
        fprintf(stderr, "layer %s: %s\n", command.layer, command.reason);
        break;
      }
    i++;
  }
}

int painter_draw(const painter *painter, const neat_frame *frame) {
  scene scene = {.frame = frame, .info.struct_size = sizeof scene.info};
  if (neat_frame_describe(frame, &scene.info) != NEAT_STATUS_OK) return 0;
  /* One more, so that nothing is asked for 0 bytes. */
  scene.buffers = calloc(scene.info.buffer_count + 1, sizeof *scene.buffers);
  scene.textures = calloc(scene.info.texture_count + 1, sizeof *scene.textures);
  scene.buffer_names = calloc(scene.info.buffer_count + 1, sizeof *scene.buffer_names);
  scene.texture_names = calloc(scene.info.texture_count + 1, sizeof *scene.texture_names);
  int ok = scene.buffers && scene.textures && scene.buffer_names && scene.texture_names;
  if (ok) {
    ok = upload(&scene);
    glViewport(0, 0, (GLsizei)scene.info.width_px, (GLsizei)scene.info.height_px);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    if (ok) draw_commands(painter, &scene);
    glDeleteBuffers((GLsizei)scene.info.buffer_count, scene.buffer_names);
    glDeleteTextures((GLsizei)scene.info.texture_count, scene.texture_names);
    ok = glGetError() == GL_NO_ERROR && ok;
  }
  free(scene.buffers);
  free(scene.textures);
  free(scene.buffer_names);
  free(scene.texture_names);
  return ok;
}
