"""Patterns

Six small pictures of numpy's become a sprite, and the sprite fills countries. A pattern may depend on the
feature, and repeats without a seam from tile to tile.

Group: Lines and fills

Data: Natural Earth (public domain)
"""
import json

import neatline
import numpy as np
from PIL import Image

EDGE = 24
y, x = np.mgrid[0:EDGE, 0:EDGE]
SHAPES = {
    "stripes": (x + y) % 12 < 3,
    "grid": (x % 12 < 1.5) | (y % 12 < 1.5),
    "dots": (x % 12 - 6) ** 2 + (y % 12 - 6) ** 2 < 9,
    "waves": np.abs((y % 12) - 6 - 2.5 * np.sin(2 * np.pi * x / EDGE)) < 1.2,
    "checks": ((x // 6) + (y // 6)) % 2 == 0,
    "crosses": (np.abs((x % 12) - (y % 12)) < 1.5) | (np.abs((x % 12) + (y % 12) - 11) < 1.5),
}
COLORS = [((231, 111, 81), (252, 233, 222)), ((38, 70, 83), (222, 232, 235)),
          ((42, 157, 143), (219, 241, 236)),
          ((58, 134, 200), (223, 236, 246)), ((233, 176, 64), (253, 243, 217)), ((131, 101, 158),
                                                                                 (236, 229, 243))]
sheet = Image.new("RGBA", (EDGE * len(SHAPES), EDGE))
index = {}
for number, ((name, mask), (ink, paper)) in enumerate(zip(SHAPES.items(), COLORS)):
    sheet.paste(Image.fromarray(np.where(mask[..., None], ink, paper).astype(np.uint8)), (EDGE * number, 0))
    index[name] = {"x": EDGE * number, "y": 0, "width": EDGE, "height": EDGE, "pixelRatio": 2}
for ratio in ("", "@2x"):
    sheet.save(f"out/sprite{ratio}.png")
    with open(f"out/sprite{ratio}.json", "w", encoding="utf-8") as file:
        json.dump(index, file)

style = {
    "version": 8,
    "sprite": "out/sprite",
    "sources": {"land": {"type": "geojson", "data": "Examples/demo/countries.geojson"}},
    "layers": [
        {"id": "sea", "type": "background", "paint": {"background-color": "#fbfaf7"}},
        {"id": "land", "type": "fill", "source": "land", "paint": {"fill-pattern": [
            "match", ["get", "color"],
            1, "stripes", 2, "grid", 3, "dots", 4, "waves", 5, "checks", "crosses"]}},
        {"id": "borders", "type": "line", "source": "land", "layout": {"line-join": "round"},
         "paint": {"line-color": "#fbfaf7", "line-width": 3}},
        {"id": "edges", "type": "line", "source": "land", "layout": {"line-join": "round"},
         "paint": {"line-color": "#3d3a36", "line-width": 0.8}},
    ],
}
neatline.render(style, bounds=(-20, -35, 55, 38), size=(800, 800), ratio=2,
                base="./").save("out/patterns.png")
