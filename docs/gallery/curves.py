"""Expressions, drawn

What `interpolate` and `step` do between their stops: each curve is an expression, evaluated at 400 zooms in
one call (`Expression.evaluate_zooms`), and drawn as a line of the map that explains it.

Group: Answers

Data: made by the program
"""
import neatline
import numpy as np

STOPS = [2, 0, 8, 1]
CURVES = [
    ("linear", ["interpolate", ["linear"], ["zoom"], *STOPS], "#22577a"),
    ("exponential 1.5", ["interpolate", ["exponential", 1.5], ["zoom"], *STOPS], "#38a3a5"),
    ("exponential 0.6", ["interpolate", ["exponential", 0.6], ["zoom"], *STOPS], "#7cb518"),
    ("cubic-bezier .9 0 .1 1", ["interpolate", ["cubic-bezier", 0.9, 0, 0.1, 1], ["zoom"], *STOPS],
     "#f3722c"),
    ("step", ["step", ["zoom"], 0, 3.5, 0.25, 5, 0.5, 6.5, 0.75, 7.7, 1], "#c1121f"),
]
zooms = np.linspace(0, 10, 400)
lines, ends = [], []
for name, expression, color in CURVES:
    values = neatline.Expression(expression, property="line-opacity").evaluate_zooms(zooms)
    points = np.column_stack([zooms * 13 - 65, values * 72 - 36])
    lines.append({"type": "Feature", "properties": {"color": color, "name": name},
                  "geometry": {"type": "LineString", "coordinates": points.tolist()}})
for row, (name, _, color) in enumerate(CURVES):
    ends.append({"type": "Feature", "properties": {"color": color, "name": name},
                 "geometry": {"type": "Point", "coordinates": [-60, 35 - row * 8]}})
axes = [{"type": "Feature", "properties": {}, "geometry": {"type": "LineString", "coordinates": line}}
        for line in [[[z * 13 - 65, -36], [z * 13 - 65, 36]] for z in range(11)]
        + [[[-65, v * 18 - 36], [65, v * 18 - 36]] for v in range(5)]]
ticks = [{"type": "Feature", "properties": {"text": f"zoom {z}" if z == 0 else str(z)},
          "geometry": {"type": "Point", "coordinates": [z * 13 - 65, -40]}} for z in range(11)]


def source(features):
    return {"type": "geojson", "data": {"type": "FeatureCollection", "features": features}}


FONT = {"text-font": ["Noto Sans Regular"], "text-size": 12, "text-allow-overlap": True}
style = {
    "version": 8,
    "sources": {"lines": source(lines), "ends": source(ends), "axes": source(axes), "ticks": source(ticks)},
    "layers": [
        {"id": "paper", "type": "background", "paint": {"background-color": "#ffffff"}},
        {"id": "axes", "type": "line", "source": "axes", "paint": {"line-color": "#e3e3de", "line-width": 1}},
        {"id": "lines", "type": "line", "source": "lines", "layout": {"line-join": "round",
                                                                      "line-cap": "round"},
         "paint": {"line-color": ["get", "color"], "line-width": 3}},
        {"id": "ticks", "type": "symbol", "source": "ticks",
         "layout": {**FONT, "text-field": ["get", "text"]},
         "paint": {"text-color": "#77756e"}},
        {"id": "dots", "type": "circle", "source": "ends",
         "paint": {"circle-color": ["get", "color"], "circle-radius": 5}},
        {"id": "names", "type": "symbol", "source": "ends", "paint": {"text-color": "#33312c"},
         "layout": {**FONT, "text-field": ["get", "name"], "text-anchor": "left", "text-offset": [0.9, 0]}},
    ],
}
neatline.render(style, center=(0, -1), zoom=1.95, size=(800, 500), ratio=2).save("out/curves.png")
