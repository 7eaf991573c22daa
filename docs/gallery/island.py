"""An island out of noise

Fractal noise becomes elevation, elevation becomes Terrarium tiles in an MBTiles archive, and a style draws
them: tints of height by `color-relief`, shadows by `hillshade`, sea where it is below zero.

Group: Relief and depth

Data: made by the program
"""
import io

import neatline
import numpy as np
from PIL import Image

EDGE, TOP, LEVELS = 256, 8, 3
COUNT = EDGE << LEVELS - 1


def noise(random, octaves):
    """Values around 0: sums of smoothed random grids, each finer and fainter."""
    total = np.zeros((COUNT, COUNT))
    t = np.linspace(0, 1, COUNT, endpoint=False)
    for octave in octaves:
        cells = 2 ** octave
        grid = random.uniform(-1, 1, (cells + 1, cells + 1))
        low = (t * cells).astype(int)
        f = t * cells - low
        f = f * f * f * (f * (6 * f - 15) + 10)
        rows = grid[low] * (1 - f)[:, None] + grid[low + 1] * f[:, None]
        total += (rows[:, low] * (1 - f) + rows[:, low + 1] * f) * 0.5 ** octave
    return total


random = np.random.default_rng(21)
y, x = np.mgrid[-1:1:COUNT * 1j, -1:1:COUNT * 1j]
ridges = (0.5 - np.abs(noise(random, range(2, 9)))) * 2
land = 0.9 - 1.55 * np.hypot(x, y * 1.2) + noise(random, range(1, 9)) * 1.1
metres = np.where(land > 0, land * 900 + np.clip(land * 1.8, 0, 1) * np.clip(ridges, 0, 2) ** 2 * 1700,
                  land * 2600)

value = np.clip(metres + 32768, 0, 65535.99)
pixels = np.dstack([value // 256, value % 256, value % 1 * 256]).astype(np.uint8)
corner = 1 << TOP - 1  # the tile whose upper left corner is at 0 north, 0 east
with neatline.ArchiveWriter("out/island.mbtiles", format="png", overwrite=True, resume=False) as archive:
    for level in range(LEVELS):
        step = 1 << LEVELS - 1 - level
        for row in range(1 << level):
            for column in range(1 << level):
                part = pixels[::step, ::step][row * EDGE:(row + 1) * EDGE, column * EDGE:(column + 1) * EDGE]
                file = io.BytesIO()
                Image.fromarray(np.ascontiguousarray(part)).save(file, "png", compress_level=1)
                archive.add(TOP + level, (corner << level) + column, (corner << level) + row, file.getvalue())
    archive.finish({"name": "an island"})

dem = {"type": "raster-dem", "url": "mbtiles://out/island.mbtiles", "encoding": "terrarium", "tileSize": 256}
style = {
    "version": 8,
    "sources": {"tints": dem, "shades": dem},
    "layers": [
        {"id": "tints", "type": "color-relief", "source": "tints", "paint": {"color-relief-color": [
            "interpolate", ["linear"], ["elevation"],
            -2400, "#0b2f55", -1100, "#15608f", -300, "#4ba3c3", -10, "#a9dbe0", 2, "#f2e3b0", 90, "#b9cf8c",
            500, "#7faa6d", 1000, "#b89c6c", 1600, "#93704f", 2100, "#d9d3c8", 2700, "#ffffff"]}},
        {"id": "shades", "type": "hillshade", "source": "shades", "paint": {
            "hillshade-exaggeration": 0.55, "hillshade-illumination-direction": 315,
            "hillshade-shadow-color": "#16223a", "hillshade-highlight-color": "#fffbe6",
            "hillshade-accent-color": "#33475b"}},
    ],
}
neatline.render(style, center=(0.703, -0.703), zoom=8.72, size=(800, 620), ratio=2,
                base="./").save("out/island.png")
