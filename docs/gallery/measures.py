"""Measured on the globe

A journey through nine capitals as a smooth curve, with a dot every 250 km along it. The red part of it begins
at the place closest to Cologne and goes on for 1,200 km. Around three of the capitals are circles of 300 km;
cities are green where a polygon of Germany contains them. Simplified to a degree, France is what the dashed
line shows. All of it is computed by `neatline.shapes`.

Group: Answers

Data: Natural Earth (public domain)
"""
import json

import neatline
import numpy as np
from neatline import shapes

DEMO = "Examples/demo/"
with open(DEMO + "countries.geojson", encoding="utf-8") as file:
    countries = {each["properties"]["name"]: each for each in json.load(file)["features"]}
with open(DEMO + "cities.geojson", encoding="utf-8") as file:
    places = {each["properties"]["name"]: each["geometry"]["coordinates"]
              for each in json.load(file)["features"]}

NAMES = ["Lisbon", "Madrid", "Paris", "Brussels", "Berlin", "Warsaw", "Vienna", "Belgrade", "Athens"]
journey = shapes.bezier([places[name] for name in NAMES], 20000)
dots = shapes.along(journey, np.arange(0, shapes.length(journey), 250e3))
part = shapes.trimmed_from(journey, (6.96, 50.94), 1200e3)
circles = [[shapes.circle(places[name], 300e3)] for name in ("Paris", "Vienna", "Madrid")]
germany, france = countries["Germany"], countries["France"]
cities = np.array(list(places.values()))
within = shapes.contains(germany, cities)


def source(kind, coordinates):
    return {"type": "geojson", "data": {"type": kind, "coordinates": coordinates}}


def line(name, color, width, **paint):
    return {"id": name, "type": "line", "source": name, "layout": {"line-cap": "round", "line-join": "round"},
            "paint": {"line-color": color, "line-width": width, **paint}}


def circle(name, color, radius):
    return {"id": name, "type": "circle", "source": name,
            "paint": {"circle-color": color, "circle-radius": radius, "circle-stroke-color": "#fff",
                      "circle-stroke-width": 1}}


style = {
    "version": 8,
    "sources": {
        "land": {"type": "geojson", "data": DEMO + "countries.geojson"},
        "germany": {"type": "geojson", "data": germany},
        "france": {"type": "geojson", "data": shapes.simplify(france, 1)},
        "journey": source("LineString", journey), "part": source("LineString", part),
        "dots": source("MultiPoint", dots), "around": source("MultiPolygon", circles),
        "inside": source("MultiPoint", cities[within]), "outside": source("MultiPoint", cities[~within]),
    },
    "layers": [
        {"id": "sea", "type": "background", "paint": {"background-color": "#cfdde6"}},
        {"id": "land", "type": "fill", "source": "land", "paint": {"fill-color": "#f6f3ec"}},
        {"id": "germany", "type": "fill", "source": "germany", "paint": {"fill-color": "#dcebd3"}},
        {"id": "borders", "type": "line", "source": "land",
         "paint": {"line-color": "#c9c2b4", "line-width": 0.7}},
        {"id": "around", "type": "fill", "source": "around", "paint": {"fill-color": "#3b6ea5",
                                                                         "fill-opacity": 0.16}},
        line("france", "#9a6b2f", 1.4, **{"line-dasharray": [3, 2]}),
        line("journey", "#3b6ea5", 2.4), line("part", "#c8452d", 4),
        circle("outside", "#8d8778", 3), circle("inside", "#3f8f3a", 4), circle("dots", "#16324f", 3.2),
    ],
}
neatline.render(style, bounds=(-12, 36, 27, 55), size=(800, 560), ratio=2).save("out/measures.png")
