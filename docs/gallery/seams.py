"""Tiles without seams

Twelve tiles, drawn one by one, laid side by side: on the left with a gap, so that they can be told apart, on
the right without one. Labels reach over the edges because placement looks at the tiles around.

Group: For machines

Data: Natural Earth (public domain)
"""
import neatline
import numpy as np
from PIL import Image

COLUMNS, ROWS = range(7, 10), range(4, 8)
with neatline.Renderer("Examples/demo/style.json") as renderer:
    tiles = {(x, y): np.asarray(renderer.draw_tile(4, x, y, size=256)) for x in COLUMNS for y in ROWS}


def sheet(gap):
    """The tiles on white, so many pixels apart."""
    step = 256 + gap
    picture = np.full((step * len(ROWS), step * len(COLUMNS), 4), 255, np.uint8)
    for (x, y), tile in tiles.items():
        row, column = (y - ROWS[0]) * step + gap // 2, (x - COLUMNS[0]) * step + gap // 2
        picture[row:row + 256, column:column + 256] = tile
    return picture


apart, together = sheet(16), sheet(0)
margin = np.full((apart.shape[0], 40, 4), 255, np.uint8)
border = (apart.shape[0] - together.shape[0]) // 2
together = np.pad(together, ((border, border), (0, 0), (0, 0)), constant_values=255)
Image.fromarray(np.hstack([apart, margin, together])).save("out/seams.png")
