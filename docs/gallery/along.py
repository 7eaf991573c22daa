"""Text along lines

Contours of a made-up hill with their heights on them, and a spiral of words. `symbol-placement: line` bends
text and leaves out what would not fit round a corner; `text-keep-upright` turns it round where it would stand
on its head, as it does on the contours and not on the spiral.

Group: Labels

Data: made by the program
"""
import math

import neatline


def contour(level):
    """A closed line around the hill: the higher, the smaller and the rounder."""
    points = []
    for step in range(0, 361):
        a = math.radians(step)
        r = (40 - level * 3.7) * (1 + 0.13 * math.sin(3 * a + 0.4) + 0.05 * math.sin(5 * a - level * 0.1))
        points.append([r * math.cos(a) * 1.3, r * math.sin(a) * 0.95])
    return {"type": "Feature", "properties": {"m": 400 + 100 * level, "major": level % 2 == 0},
            "geometry": {"type": "LineString", "coordinates": points}}


turns = [math.radians(each) for each in range(720, 2500, 4)]
spiral = [[108 + t * math.cos(-t) * 0.95, t * math.sin(-t) * 0.95] for t in turns]
style = {
    "version": 8,
    "sources": {
        "contours": {"type": "geojson", "data": {
            "type": "FeatureCollection", "features": [contour(level) for level in range(11)]}},
        "spiral": {"type": "geojson", "data": {"type": "LineString", "coordinates": spiral}},
    },
    "layers": [
        {"id": "paper", "type": "background", "paint": {"background-color": "#f7f4ea"}},
        {"id": "contours", "type": "line", "source": "contours", "layout": {"line-join": "round"},
         "paint": {"line-color": "#b5651d", "line-width": ["case", ["get", "major"], 1.6, 0.7],
                   "line-opacity": ["case", ["get", "major"], 1, 0.7]}},
        {"id": "heights", "type": "symbol", "source": "contours", "filter": ["get", "major"],
         "layout": {"symbol-placement": "line", "symbol-spacing": 210, "text-font": ["Noto Sans Regular"],
                    "text-field": ["concat", ["to-string", ["get", "m"]], " m"], "text-size": 12},
         "paint": {"text-color": "#8a4b12", "text-halo-color": "#f7f4ea", "text-halo-width": 3}},
        {"id": "spiral", "type": "line", "source": "spiral",
         "paint": {"line-color": "#e6dfca", "line-width": 12}},
        {"id": "words", "type": "symbol", "source": "spiral",
         "layout": {"symbol-placement": "line", "symbol-spacing": 100, "text-font": ["Noto Sans Regular"],
                    "text-field": "round and round ·", "text-size": 10, "text-max-angle": 45,
                    "text-keep-upright": False, "text-allow-overlap": True},
         "paint": {"text-color": "#24566b"}},
    ],
}
neatline.render(style, center=(47, -1), zoom=1.42, size=(800, 400), ratio=2).save("out/along.png")
