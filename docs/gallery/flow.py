"""A field of flow

900 streamlines through a made-up wind, each a line with its speed as a property: colour and width come from
it, and the start of each line fades in by `line-gradient`.

Group: Data on maps

Data: Natural Earth (public domain); the wind is made up
"""
import math
import random

import neatline

random.seed(4)


def wind(lon, lat):
    """Westerlies, trade winds, and five whirls."""
    u, v = 9 * math.sin(math.radians(lat * 2.2 - 25)), 1.5 * math.sin(math.radians(lon * 3))
    for x, y, power in [(-38, 48, 16), (-20, 22, -14), (8, 58, 13), (-52, 24, -11), (18, 36, 9)]:
        dx, dy = lon - x, (lat - y) * 1.3
        fade = math.exp(-(dx * dx + dy * dy) / 160)
        u, v = u - power * dy * fade / 7, v + power * dx * fade / 7
    return u, v


lines = []
for _ in range(1500):
    lon, lat = random.uniform(-84, 44), random.uniform(4, 70)
    points, speed = [[lon, lat]], 0
    for _ in range(26):
        u, v = wind(lon, lat)
        speed = max(speed, math.hypot(u, v))
        lon, lat = lon + u * 0.022, lat + v * 0.022
        points.append([lon, lat])
    lines.append({"type": "Feature", "properties": {"speed": speed},
                  "geometry": {"type": "LineString", "coordinates": points}})
RAMP = ["#3d5a80", "#48a9a6", "#e4dfda", "#f4a261", "#e63946"]
LEVELS = [0, 6, 10, 14, 18]
layers = [
    {"id": "sea", "type": "background", "paint": {"background-color": "#101820"}},
    {"id": "land", "type": "fill", "source": "land",
     "paint": {"fill-color": "#1d2a35", "fill-outline-color": "#2d3f4d"}},
]
for number, (low, color) in enumerate(zip(LEVELS, RAMP)):
    high = LEVELS[number + 1] if number + 1 < len(LEVELS) else 99
    clear = f"rgba({int(color[1:3], 16)},{int(color[3:5], 16)},{int(color[5:], 16)},0)"
    layers.append({
        "id": f"wind-{number}", "type": "line", "source": "wind", "layout": {"line-cap": "round"},
        "filter": ["all", [">=", ["get", "speed"], low], ["<", ["get", "speed"], high]],
        "paint": {"line-width": 0.9 + number * 0.35,
                  "line-gradient": ["interpolate", ["linear"], ["line-progress"], 0, clear, 1, color]}})
style = {
    "version": 8,
    "sources": {
        "land": {"type": "geojson", "data": "Examples/demo/countries.geojson"},
        "wind": {"type": "geojson", "lineMetrics": True, "data": {"type": "FeatureCollection",
                                                                  "features": lines}},
    },
    "layers": layers,
}
neatline.render(style, bounds=(-76, 12, 36, 64), size=(800, 560), ratio=2).save("out/flow.png")
