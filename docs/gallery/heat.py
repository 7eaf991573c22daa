"""A heatmap

30,000 points scattered around the capitals, more of them around some. `heatmap-density` goes through a ramp
of colours; the land lies over the faintest end of it.

Group: Data on maps

Data: Natural Earth (public domain); the points are made up
"""
import json

import neatline
import numpy as np

DEMO = "Examples/demo/"
with open(DEMO + "cities.geojson", encoding="utf-8") as file:
    places = np.array([city["geometry"]["coordinates"] for city in json.load(file)["features"]])
random = np.random.default_rng(3)
share = random.pareto(2.2, len(places)) + 0.02
chosen = random.choice(len(places), 30_000, p=share / share.sum())
points = places[chosen] + random.normal(0, 1.6, (30_000, 2)) * [1.2, 0.9]

style = {
    "version": 8,
    "sources": {
        "land": {"type": "geojson", "data": DEMO + "countries.geojson"},
        "points": {"type": "geojson", "data": {"type": "MultiPoint", "coordinates": points.tolist()}},
    },
    "layers": [
        {"id": "sea", "type": "background", "paint": {"background-color": "#0a0a14"}},
        {"id": "land", "type": "fill", "source": "land", "paint": {"fill-color": "#191927"}},
        {"id": "heat", "type": "heatmap", "source": "points", "paint": {
            "heatmap-radius": 16, "heatmap-weight": 0.1, "heatmap-intensity": 0.9, "heatmap-color": [
                "interpolate", ["linear"], ["heatmap-density"],
                0, "rgba(0,0,0,0)", 0.08, "#2b0f54", 0.25, "#7b1e6d", 0.45, "#d0415b", 0.7, "#fb9b3c",
                1, "#fcfdbf"]}},
        {"id": "borders", "type": "line", "source": "land",
         "paint": {"line-color": "#ffffff", "line-opacity": 0.16, "line-width": 0.6}},
    ],
}
neatline.render(style, bounds=(-18, 5, 60, 58), size=(800, 640), ratio=2).save("out/heat.png")
