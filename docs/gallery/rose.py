"""Gradients along lines

A curve of one line, its colour a function of the way along it: `line-gradient` over `line-progress`. A wide,
blurred copy below makes the glow.

Group: Lines and fills

Data: made by the program
"""
import math

import neatline

curves = []
for ring, (petals, size) in enumerate([(7, 62), (5, 44), (3, 27)]):
    points = []
    for step in range(0, 1441):
        a = math.radians(step / 4)
        r = size * (0.62 + 0.38 * math.cos(petals * a + ring))
        points.append([r * math.cos(a), r * math.sin(a) * 0.93])
    curves.append({"type": "Feature", "properties": {}, "geometry": {"type": "LineString",
                                                                     "coordinates": points}})

WHEEL = ["#ff6b6b", "#ffd93d", "#6bcb77", "#4d96ff", "#9b5de5", "#f15bb5", "#ff6b6b"]
ramp = ["interpolate-hcl", ["linear"], ["line-progress"]]
for number, color in enumerate(WHEEL):
    ramp += [number / (len(WHEEL) - 1), color]
LINE = {"type": "line", "source": "curves", "layout": {"line-join": "round", "line-cap": "round"}}
style = {
    "version": 8,
    "sources": {"curves": {"type": "geojson", "lineMetrics": True,
                           "data": {"type": "FeatureCollection", "features": curves}}},
    "layers": [
        {"id": "night", "type": "background", "paint": {"background-color": "#0e0e16"}},
        {"id": "glow", **LINE, "paint": {"line-gradient": ramp, "line-width": 26, "line-blur": 24,
                                         "line-opacity": 0.5}},
        {"id": "line", **LINE, "paint": {"line-gradient": ramp, "line-width": 5}},
        {"id": "core", **LINE, "paint": {"line-color": "#ffffff", "line-width": 1.2, "line-opacity": 0.85}},
    ],
}
neatline.render(style, center=(0, 0), zoom=1.72, size=(800, 620), ratio=2).save("out/rose.png")
