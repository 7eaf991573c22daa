"""Columns in three dimensions

A hexagonal grid over a made-up surface: each cell an extrusion, its height and colour by expressions. The
light comes from the left.

Group: Relief and depth

Data: made by the program
"""
import math

import neatline

SIZE = 0.0042


def hexagon(lon, lat):
    ring = [[lon + SIZE * 0.94 * math.cos(math.radians(60 * k + 30)),
             lat + SIZE * 0.94 * math.sin(math.radians(60 * k + 30))] for k in range(6)]
    return [ring + ring[:1]]


def height(x, y):
    """Three hills and a ripple."""
    hills = sum(h * math.exp(-((x - cx) ** 2 + (y - cy) ** 2) / w) for cx, cy, w, h in
                [(-0.35, 0.1, 0.05, 1.0), (0.3, -0.25, 0.09, 0.75), (0.35, 0.45, 0.03, 0.9)])
    return max(0.02, hills + 0.06 * math.sin(9 * x) * math.cos(8 * y))


cells = []
for row in range(-22, 23):
    for column in range(-26, 27):
        lon, lat = (column + row % 2 / 2) * SIZE * math.sqrt(3), row * SIZE * 1.5
        x, y = lon / 0.19, lat / 0.14
        if x * x + y * y < 1:
            cells.append({"type": "Feature", "properties": {"h": height(x, y)},
                          "geometry": {"type": "Polygon", "coordinates": hexagon(lon, lat)}})
style = {
    "version": 8,
    "light": {"anchor": "viewport", "position": [1.2, 250, 40], "intensity": 0.45},
    "sources": {"cells": {"type": "geojson", "data": {"type": "FeatureCollection", "features": cells}}},
    "layers": [
        {"id": "ground", "type": "background", "paint": {"background-color": "#11151f"}},
        {"id": "cells", "type": "fill-extrusion", "source": "cells", "paint": {
            "fill-extrusion-height": ["*", ["get", "h"], 7000],
            "fill-extrusion-color": ["interpolate-lab", ["linear"], ["get", "h"],
                                     0, "#24345e", 0.25, "#2a6f97", 0.5, "#52b69a", 0.75, "#d9ed92", 1,
                                     "#fff8d6"]}},
    ],
}
picture = neatline.render(style, center=(0, 0.01), zoom=10.6, pitch=58, bearing=-22, size=(800, 560), ratio=2)
picture.save("out/bars.png")
