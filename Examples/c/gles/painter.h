/* Draws frames of Neatline with OpenGL ES 3 into what is bound as the framebuffer. */
#ifndef GLES_PAINTER_H
#define GLES_PAINTER_H

#include <GLES3/gl3.h>
#include <neatline.h>

enum {
  PROGRAM_FILL,
  PROGRAM_OUTLINE,
  PROGRAM_LINE,
  PROGRAM_CIRCLE,
  PROGRAM_PICTURE,
  PROGRAM_SYMBOL,
  PROGRAM_EXTRUSION,
  PROGRAM_CUSTOM,
  PROGRAM_COUNT
};

typedef struct painter {
  GLuint programs[PROGRAM_COUNT];
} painter;

/* Compiles the shaders; 0 on failure, which is told on stderr. Needs a current context. */
int painter_create(painter *painter);
void painter_destroy(painter *painter);

/* Draws all commands over what is there. The framebuffer needs a depth and a stencil buffer, cleared. 0 on
 * failure. */
int painter_draw(const painter *painter, const neat_frame *frame);

#endif
