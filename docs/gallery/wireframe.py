"""A frame for a GPU, laid bare

`Renderer.frame` gives the view as draw commands over vertex and index buffers. Here the triangles of its
fills are taken out of the buffers, put through the command's matrix, and drawn as they are: what a GPU would
be given.

Group: For machines

Data: Natural Earth (public domain)
"""
import neatline
import numpy as np
from PIL import Image, ImageDraw

WIDTH, HEIGHT = 1600, 1040
style = {
    "version": 8,
    "sources": {"land": {"type": "geojson", "data": "Examples/demo/countries.geojson"}},
    "layers": [{"id": "land", "type": "fill", "source": "land", "paint": {"fill-color": "#3c8d93"}}],
}
with neatline.Renderer(style) as renderer:
    frame = renderer.frame(center=(-60, -20), zoom=1.75, pitch=35, bearing=18, size=(800, 520), ratio=2)

sheet = Image.new("RGB", (WIDTH, HEIGHT), "#10161d")
pen = ImageDraw.Draw(sheet)
random = np.random.default_rng(5)
count = 0
for command in frame.commands:
    if command.kind != "fill":
        continue
    vertices = command.vertices
    places = np.column_stack([vertices["x"], vertices["y"], np.zeros(len(vertices)), np.ones(len(vertices))])
    clip = places @ np.array(command.raw.matrix).reshape(4, 4)
    screen = (clip[:, :2] / clip[:, 3:] * [0.5, -0.5] + 0.5) * [WIDTH, HEIGHT]
    for triangle in command.indices.reshape(-1, 3):
        shade = random.uniform(0.55, 1)
        corners = [tuple(screen[each]) for each in triangle]
        color = tuple(int(shade * part) for part in (84, 190, 180))
        pen.polygon(corners, fill=color, outline="#10161d")
        count += 1
print(count, "triangles")
sheet.save("out/wireframe.png")
