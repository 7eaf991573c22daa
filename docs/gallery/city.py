"""A city that is not there

Blocks cut by streets that get narrower, houses within them that get taller towards the middle, a river
through it: all polygons of the program's. Extrusions have their own depth; streets and water are flat.

Group: Relief and depth

Data: made by the program
"""
import math
import random

import neatline

random.seed(11)
houses, parks = [], []


def box(west, south, east, north):
    return {"type": "Polygon", "coordinates": [
        [[west, south], [east, south], [east, north], [west, north], [west, south]]]}


def split(west, south, east, north, depth):
    """Cuts a block in two until it is small, then builds on it."""
    wide, high = east - west, north - south
    if depth == 0 or max(wide, high) < 0.0011:
        build(west, south, east, north)
        return
    street = 0.00012 + 0.00004 * depth
    at = random.uniform(0.38, 0.62)
    if wide > high:
        split(west, south, west + wide * at - street / 2, north, depth - 1)
        split(west + wide * at + street / 2, south, east, north, depth - 1)
    else:
        split(west, south, east, south + high * at - street / 2, depth - 1)
        split(west, south + high * at + street / 2, east, north, depth - 1)


def river(x):
    """Its latitude."""
    return 0.004 + 0.003 * math.sin(x * 330)


def build(west, south, east, north):
    x, y = (west + east) / 2, (south + north) / 2
    if abs(y - river(x)) < 0.0016:
        return
    if random.random() < 0.07:
        parks.append({"type": "Feature", "properties": {}, "geometry": box(west, south, east, north)})
        return
    middle = math.exp(-(x * x + (y + 0.003) ** 2) / 2.2e-5)
    height = random.uniform(9, 24) + random.random() ** 2 * 210 * middle
    gap = 0.00009
    houses.append({"type": "Feature", "properties": {"h": height},
                   "geometry": box(west + gap, south + gap, east - gap, north - gap)})
    if height > 70:
        inset = (east - west) * 0.24
        houses.append({"type": "Feature", "properties": {"h": height * 1.35, "base": height},
                       "geometry": box(west + inset, south + inset, east - inset, north - inset)})


split(-0.016, -0.016, 0.016, 0.016, 12)
water = [[x / 5000, river(x / 5000)] for x in range(-150, 151)]


def collection(features):
    return {"type": "geojson", "data": {"type": "FeatureCollection", "features": features}}


style = {
    "version": 8,
    "light": {"anchor": "viewport", "position": [1.3, 215, 35], "intensity": 0.4, "color": "#fff4e0"},
    "sources": {
        "houses": collection(houses), "parks": collection(parks),
        "water": {"type": "geojson", "data": {"type": "LineString", "coordinates": water}},
    },
    "layers": [
        {"id": "ground", "type": "background", "paint": {"background-color": "#efe9df"}},
        {"id": "parks", "type": "fill", "source": "parks", "paint": {"fill-color": "#bcd6a4"}},
        {"id": "water", "type": "line", "source": "water",
         "paint": {"line-color": "#8fc1d4", "line-width": 62}},
        {"id": "houses", "type": "fill-extrusion", "source": "houses", "paint": {
            "fill-extrusion-height": ["get", "h"],
            "fill-extrusion-base": ["coalesce", ["get", "base"], 0],
            "fill-extrusion-color": ["interpolate", ["linear"], ["get", "h"],
                                     10, "#f7f1e6", 60, "#eacfae", 140, "#d99d7c", 260, "#a7606a"]}},
    ],
}
neatline.render(style, center=(0.0005, -0.0012), zoom=15.1, pitch=60, bearing=32, size=(800, 560),
                ratio=2).save("out/city.png")
