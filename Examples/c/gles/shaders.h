/* The shaders of the layouts of neatline.h, in GLSL ES 3. A property's value is the command's plus the
 * vertex's: one of them is 0. */
#ifndef GLES_SHADERS_H
#define GLES_SHADERS_H

#define VERSION "#version 300 es\nprecision highp float;\nprecision highp int;\n"

/* What every command has: the matrix, the part of the plane that may be drawn on, and the size of the view in
 * device pixels. */
#define COMMON \
  VERSION \
  "uniform mat4 u_matrix;\n" \
  "uniform vec4 u_clip;\n" \
  "uniform vec2 u_view;\n" \
  "uniform float u_ratio;\n" \
  "uniform vec4 u_color;\n" \
  "uniform float u_opacity;\n" \
  "uniform sampler2D u_texture;\n" \
  "uniform int u_use;\n"

#define CLIP(place) \
  "  if (any(lessThan(" place ", u_clip.xy)) || any(greaterThanEqual(" place ", u_clip.zw))) discard;\n"

/* Backgrounds and fills. */
static const char fill_vertex[] = COMMON
    "layout(location = 0) in vec2 a_place;\n"
    "layout(location = 1) in vec4 a_color;\n"
    "layout(location = 2) in float a_opacity;\n"
    "out vec2 v_place;\n"
    "out vec3 v_pixel;\n"
    "out vec4 v_color;\n"
    "out float v_opacity;\n"
    "void main() {\n"
    "  gl_Position = u_matrix * vec4(a_place, 0.0, 1.0);\n"
    "  v_place = a_place;\n"
    "  v_pixel = vec3((gl_Position.xy + gl_Position.w) * 0.5 * u_view, gl_Position.w);\n"
    "  v_color = u_color + a_color;\n"
    "  v_opacity = u_opacity + a_opacity;\n"
    "}\n";

#define FILL_FRAGMENT \
  COMMON \
  "uniform vec4 u_pattern;\n" \
  "in vec2 v_place;\n" \
  "in vec3 v_pixel;\n" \
  "in vec4 v_color;\n" \
  "in float v_opacity;\n" \
  "out vec4 o_color;\n" \
  "void main() {\n" CLIP("v_place") \
  "  vec4 color = u_use == 3 ? texture(u_texture, v_place * u_pattern.xy + u_pattern.zw) : v_color;\n"

static const char fill_fragment[] = FILL_FRAGMENT
    "  o_color = color * v_opacity;\n"
    "}\n";

/* A hairline that fades with the distance of the pixel from the edge; v_pixel is divided by w here, so that
 * it runs evenly over the screen. */
static const char outline_fragment[] = FILL_FRAGMENT
    "  float away = length(v_pixel.xy / v_pixel.z - gl_FragCoord.xy);\n"
    "  o_color = color * v_opacity * (1.0 - smoothstep(0.0, 1.0, away));\n"
    "}\n";

static const char line_vertex[] = COMMON
    "layout(location = 0) in vec2 a_place;\n"
    "layout(location = 1) in vec2 a_extrude;\n"
    "layout(location = 2) in float a_distance;\n"
    "layout(location = 3) in float a_flags;\n"
    "layout(location = 4) in float a_direction;\n"
    "layout(location = 5) in vec4 a_color;\n"
    "layout(location = 6) in float a_opacity;\n"
    "layout(location = 7) in vec4 a_widths;\n"
    "layout(location = 8) in vec2 a_along;\n"
    "uniform vec4 u_widths;\n" /* width, gap, offset, blur */
    "uniform float u_floor;\n"
    "uniform float u_units;\n"
    "out vec2 v_place;\n"
    "out vec2 v_normal;\n"
    "out vec4 v_color;\n"
    "out float v_opacity;\n"
    "out float v_distance;\n"
    "out float v_gamma;\n"
    "out float v_progress;\n"
    "flat out vec4 v_line;\n" /* outset, inset, blur, floor width */
    "void main() {\n"
    "  vec4 widths = u_widths + a_widths;\n"
    "  float gap = max(widths.y, 0.0) / 2.0;\n"
    "  float edge = 0.5 / u_ratio;\n"
    "  float outset = gap + widths.x / 2.0 * (gap > 0.0 ? 2.0 : 1.0) + edge;\n"
    "  v_line = vec4(outset, gap + (gap > 0.0 ? edge : 0.0), max(widths.w, 0.0) + 1.0 / u_ratio, max(u_floor "
    "+ a_along.x, 0.001));\n"
    "  bool right = a_flags > 1.5;\n"
    "  v_normal = vec2(mod(a_flags, 2.0), right ? 1.0 : -1.0);\n"
    "  vec2 extrude = a_extrude * outset * u_units;\n"
    "  float u = 0.5 * a_direction;\n"
    "  float t = 1.0 - abs(u);\n"
    "  vec2 e = a_extrude * (-widths.z * u_units * (right ? 1.0 : -1.0));\n"
    "  v_place = a_place + extrude + mat2(t, u, -u, t) * e;\n"
    "  gl_Position = widths.x > 0.0 ? u_matrix * vec4(v_place, 0.0, 1.0) : vec4(2.0, 2.0, 2.0, 1.0);\n"
    "  vec2 seen = (u_matrix * vec4(extrude, 0.0, 0.0)).xy * u_view / (2.0 * abs(gl_Position.w) * u_ratio);\n"
    "  float flat_length = length(extrude) / u_units;\n"
    "  v_gamma = length(seen) > 1e-9 ? flat_length / length(seen) : 1.0;\n"
    "  v_distance = a_distance;\n"
    "  v_progress = a_along.y;\n"
    "  v_color = u_color + a_color;\n"
    "  v_opacity = u_opacity + a_opacity;\n"
    "}\n";

static const char line_fragment[] = COMMON
    "uniform sampler2D u_dashes;\n"
    "uniform vec3 u_dash;\n" /* scale, softness, rows */
    "uniform vec4 u_pattern;\n"
    "in vec2 v_place;\n"
    "in vec2 v_normal;\n"
    "in vec4 v_color;\n"
    "in float v_opacity;\n"
    "in float v_distance;\n"
    "in float v_gamma;\n"
    "in float v_progress;\n"
    "flat in vec4 v_line;\n"
    "out vec4 o_color;\n"
    "void main() {\n" CLIP("v_place")
    "  float away = length(v_normal) * v_line.x;\n"
    "  float blur = v_line.z * v_gamma;\n"
    "  float cover = clamp(min(away - v_line.y + blur, v_line.x - away) / blur, 0.0, 1.0);\n"
    "  if (u_dash.z > 0.0) {\n"
    "    float row = ((1.0 - v_normal.y) * 0.5 * (u_dash.z - 1.0) + 0.5) / u_dash.z;\n"
    "    float inside = texture(u_dashes, vec2(v_distance * u_dash.x / v_line.w, row)).r;\n"
    "    float soft = u_dash.y / v_line.w;\n"
    "    cover *= smoothstep(0.5 - soft, 0.5 + soft, inside);\n"
    "  }\n"
    "  vec4 color = v_color;\n"
    "  if (u_use == 4) color = texture(u_texture, vec2(v_progress, 0.5)) * v_color.a;\n"
    "  if (u_use == 3) {\n"
    /* The picture with a texel of its other side around it, over the line's width. */
    "    vec2 size = vec2(textureSize(u_texture, 0));\n"
    "    vec2 turn = vec2(fract(v_distance * u_pattern.x / v_line.w), v_normal.y * 0.5 + 0.5);\n"
    "    color = texture(u_texture, (turn * (size + 2.0) - 1.0) / size) * v_color.a;\n"
    "  }\n"
    "  o_color = color * v_opacity * cover;\n"
    "}\n";

static const char circle_vertex[] =
    COMMON "layout(location = 0) in vec2 a_place;\n"
           "layout(location = 1) in vec2 a_corner;\n"
           "layout(location = 2) in vec4 a_color;\n"
           "layout(location = 3) in vec4 a_stroke;\n"
           "layout(location = 4) in vec2 a_opacity;\n"
           "layout(location = 5) in vec3 a_size;\n"
           "uniform vec4 u_stroke;\n"
           "uniform vec2 u_opacities;\n"
           "uniform vec3 u_size;\n" /* radius, stroke width, blur */
           "uniform vec2 u_squeeze;\n"
           "uniform float u_perspective;\n"
           "out vec2 v_corner;\n"
           "flat out vec4 v_color;\n"
           "flat out vec4 v_stroke;\n"
           "flat out vec3 v_circle;\n" /* radius in parts of all, blur, whether there is a stroke */
           "void main() {\n"
           "  vec4 center = u_matrix * vec4(a_place, 0.0, 1.0);\n"
           "  vec3 size = u_size + a_size;\n"
           "  float scale = u_ratio * (u_perspective > 0.0 ? u_perspective / center.w : 1.0);\n"
           "  float all = (size.x + max(size.y, 0.0)) * scale;\n"
           "  vec2 opacity = u_opacities + a_opacity;\n"
           "  v_corner = a_corner;\n"
           "  v_color = (u_color + a_color) * opacity.x;\n"
           "  v_stroke = (u_stroke + a_stroke) * opacity.y;\n"
           "  v_circle = vec3(max(size.x, 0.0) * scale / all, max(size.z, 1.0 / all), size.y * scale >= 0.01 "
           "? 1.0 : 0.0);\n"
           "  vec2 move = a_corner * u_squeeze * all * vec2(2.0, -2.0) / u_view;\n"
           "  bool seen = center.w > 0.0 && all > 0.0;\n"
           "  gl_Position = seen ? vec4(center.xy + move * center.w, center.zw) : vec4(2.0, 2.0, 2.0, 1.0);\n"
           "}\n";

static const char circle_fragment[] = COMMON
    "in vec2 v_corner;\n"
    "flat in vec4 v_color;\n"
    "flat in vec4 v_stroke;\n"
    "flat in vec3 v_circle;\n"
    "out vec4 o_color;\n"
    "void main() {\n"
    "  float away = length(v_corner);\n"
    "  float cover = smoothstep(0.0, 1.0, (1.0 - away) / v_circle.y);\n"
    "  float stroke = v_circle.z * smoothstep(0.0, 1.0, (away - v_circle.x + v_circle.y) / v_circle.y);\n"
    "  o_color = mix(v_color, v_stroke, stroke) * cover;\n"
    "}\n";

static const char picture_vertex[] = COMMON
    "layout(location = 0) in vec2 a_place;\n"
    "layout(location = 1) in vec2 a_uv;\n"
    "out vec2 v_place;\n"
    "out vec2 v_uv;\n"
    "void main() {\n"
    "  gl_Position = u_matrix * vec4(a_place, 0.0, 1.0);\n"
    "  v_place = a_place;\n"
    "  v_uv = a_uv;\n"
    "}\n";

static const char picture_fragment[] = COMMON
    "uniform mat3 u_mix;\n"
    "uniform vec3 u_add;\n"
    "in vec2 v_place;\n"
    "in vec2 v_uv;\n"
    "out vec4 o_color;\n"
    "void main() {\n" CLIP("v_place")
    "  vec4 texel = texture(u_texture, v_uv);\n"
    "  o_color = vec4(clamp(u_mix * texel.rgb + u_add * texel.a, 0.0, texel.a), texel.a) * u_opacity;\n"
    "}\n";

static const char symbol_vertex[] = COMMON
    "layout(location = 0) in vec2 a_place;\n"
    "layout(location = 1) in vec2 a_uv;\n"
    "layout(location = 2) in vec4 a_color;\n"
    "layout(location = 3) in vec3 a_edge;\n"
    "out vec2 v_uv;\n"
    "flat out vec4 v_color;\n"
    "flat out vec3 v_edge;\n" /* edge, gamma, halo */
    "void main() {\n"
    "  gl_Position = u_matrix * vec4(a_place, 0.0, 1.0);\n"
    "  v_uv = a_uv;\n"
    "  v_color = a_color;\n"
    "  v_edge = a_edge;\n"
    "}\n";

static const char symbol_fragment[] = COMMON
    "in vec2 v_uv;\n"
    "flat in vec4 v_color;\n"
    "flat in vec3 v_edge;\n"
    "out vec4 o_color;\n"
    "void main() {\n"
    "  vec4 texel = texture(u_texture, v_uv);\n"
    "  if (u_use == 1) {\n"
    "    o_color = texel * v_color;\n"
    "    return;\n"
    "  }\n"
    "  float cover = smoothstep(v_edge.x - v_edge.y, v_edge.x + v_edge.y, texel.r);\n"
    "  if (v_edge.z > 0.5) cover = min(cover, 1.0 - smoothstep(0.75, 0.75 + 2.0 * v_edge.y, texel.r));\n"
    "  o_color = v_color * cover;\n"
    "}\n";

static const char extrusion_vertex[] = COMMON
    "layout(location = 0) in vec2 a_place;\n"
    "layout(location = 1) in float a_level;\n"
    "layout(location = 2) in vec3 a_normal;\n"
    "layout(location = 3) in vec4 a_color;\n"
    "layout(location = 4) in vec2 a_heights;\n"
    "uniform vec2 u_heights;\n" /* base, height */
    "uniform vec3 u_light;\n"
    "uniform vec3 u_light_color;\n"
    "uniform float u_intensity;\n"
    "uniform float u_gradient;\n"
    "out vec3 v_color;\n"
    "void main() {\n"
    "  vec2 heights = u_heights + a_heights;\n"
    "  vec3 color = (u_color + a_color).rgb;\n"
    "  float luminance = dot(color, vec3(0.2126, 0.7152, 0.0722));\n"
    "  float facing = clamp(dot(a_normal, u_light), 0.0, 1.0);\n"
    "  float lit = mix(1.0 - u_intensity, max(1.0 - luminance + u_intensity, 1.0), facing);\n"
    "  if (abs(a_normal.y) >= 1.0 / 16384.0 && u_gradient > 0.5) {\n"
    "    float least = mix(0.7, 0.98, 1.0 - u_intensity);\n"
    "    lit *= clamp((a_level + heights.x) * sqrt(heights.y / 150.0), least, 1.0);\n"
    "  }\n"
    "  v_color = clamp((color + 0.03) * lit * u_light_color, 0.3 * (1.0 - u_light_color), vec3(1.0));\n"
    "  gl_Position = u_matrix * vec4(a_place, mix(heights.x, heights.y, a_level), 1.0);\n"
    "}\n";

static const char extrusion_fragment[] = COMMON
    "in vec3 v_color;\n"
    "out vec4 o_color;\n"
    "void main() { o_color = vec4(v_color, 1.0) * u_opacity; }\n";

/* Triangles of custom layers; their colours are premultiplied. */
static const char custom_vertex[] = COMMON
    "layout(location = 0) in vec3 a_place;\n"
    "layout(location = 1) in vec4 a_color;\n"
    "out vec4 v_color;\n"
    "void main() {\n"
    "  gl_Position = u_matrix * vec4(a_place, 1.0);\n"
    "  v_color = a_color;\n"
    "}\n";

static const char custom_fragment[] = COMMON
    "in vec4 v_color;\n"
    "out vec4 o_color;\n"
    "void main() { o_color = v_color; }\n";

#endif
