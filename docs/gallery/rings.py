"""Distances from a city

Lines of equal distance on the globe, every 500 km around Reykjavík: round there, and anything but round in
Mercator's projection. The `distance` expression colours the cities.

Group: Data on maps

Data: Natural Earth (public domain)
"""
import math

import neatline

DEMO = "Examples/demo/"
LON, LAT = -21.9, 64.13


def circle(kilometres):
    """Points at a distance, by bearing."""
    points = []
    for bearing in range(0, 361, 2):
        d, b, lat = kilometres / 6371, math.radians(bearing), math.radians(LAT)
        there = math.asin(math.sin(lat) * math.cos(d) + math.cos(lat) * math.sin(d) * math.cos(b))
        lon = math.atan2(math.sin(b) * math.sin(d) * math.cos(lat),
                         math.cos(d) - math.sin(lat) * math.sin(there))
        points.append([LON + math.degrees(lon), math.degrees(there)])
    return points


rings = [
    {"type": "Feature", "properties": {"km": f"{km:,} km"},
     "geometry": {"type": "LineString", "coordinates": circle(km)}}
    for km in range(1000, 2600, 500)
]
home = {"type": "Point", "coordinates": [LON, LAT]}
style = {
    "version": 8,
    "sources": {
        "land": {"type": "geojson", "data": DEMO + "countries.geojson"},
        "cities": {"type": "geojson", "data": DEMO + "cities.geojson"},
        "rings": {"type": "geojson", "data": {"type": "FeatureCollection", "features": rings}},
        "home": {"type": "geojson", "data": home},
    },
    "layers": [
        {"id": "sea", "type": "background", "paint": {"background-color": "#c3d9e3"}},
        {"id": "land", "type": "fill", "source": "land",
         "paint": {"fill-color": "#dfe5dc", "fill-outline-color": "#ffffff"}},
        {"id": "rings", "type": "line", "source": "rings",
         "paint": {"line-color": "#9a031e", "line-width": 1.4, "line-dasharray": [3, 2]}},
        {"id": "words", "type": "symbol", "source": "rings", "layout": {
            "symbol-placement": "line", "text-field": ["get", "km"], "text-font": ["Noto Sans Bold"],
            "text-size": 11, "symbol-spacing": 400},
         "paint": {"text-color": "#9a031e", "text-halo-color": "#ffffff", "text-halo-width": 2}},
        {"id": "cities", "type": "circle", "source": "cities",
         "paint": {"circle-radius": 5, "circle-stroke-color": "#ffffff", "circle-stroke-width": 1.2,
                   "circle-color": ["step", ["distance", home],
                                    "#0f4c5c", 1000e3, "#2c7a7b", 1500e3, "#7fb685", 2000e3, "#e9c46a",
                                    2500e3, "#b9b7ae"]}},
        {"id": "names", "type": "symbol", "source": "cities", "layout": {
            "text-field": ["get", "name"], "text-font": ["Noto Sans Regular"], "text-size": 10,
            "text-variable-anchor": ["left", "right", "top", "bottom"], "text-radial-offset": 0.6},
         "paint": {"text-color": "#22333b", "text-halo-color": "#ffffff", "text-halo-width": 1.4}},
        {"id": "home", "type": "circle", "source": "home",
         "paint": {"circle-radius": 7, "circle-color": "#9a031e", "circle-stroke-color": "#fff",
                   "circle-stroke-width": 2}},
    ],
}
neatline.render(style, bounds=(-78, 40, 34, 77), size=(800, 520), ratio=2).save("out/rings.png")
