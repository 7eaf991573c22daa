"""Great circles

Routes from one city to all capitals further than 2,500 km away. `line-gradient` fades each from its start to
its end, which takes `lineMetrics`; lines that cross the 180th meridian simply go on past 180 degrees.

Group: Data on maps

Data: Natural Earth (public domain)
"""
import json
import math

import neatline
import numpy as np

DEMO = "Examples/demo/"
HOME = (103.85, 1.29)


def vector(lon, lat):
    lon, lat = math.radians(lon), math.radians(lat)
    return np.array([math.cos(lat) * math.cos(lon), math.cos(lat) * math.sin(lon), math.sin(lat)])


def great_circle(start, end, count=96):
    """Points along the shortest way, with longitudes that do not jump; its length in kilometres."""
    a, b = vector(*start), vector(*end)
    angle = math.acos(np.clip(a @ b, -1, 1))
    if angle == 0:
        return [], 0
    t = np.linspace(0, 1, count)[:, None]
    points = (np.sin((1 - t) * angle) * a + np.sin(t * angle) * b) / math.sin(angle)
    lon = np.degrees(np.unwrap(np.arctan2(points[:, 1], points[:, 0])))
    return np.column_stack([lon, np.degrees(np.arcsin(points[:, 2]))]).tolist(), angle * 6371


with open(DEMO + "cities.geojson", encoding="utf-8") as file:
    cities = json.load(file)["features"]
routes = []
for city in cities:
    points, length = great_circle(HOME, city["geometry"]["coordinates"])
    if points and length > 2500:
        routes.append({"type": "Feature", "properties": {"km": length},
                       "geometry": {"type": "LineString", "coordinates": points}})

style = {
    "version": 8,
    "sources": {
        "land": {"type": "geojson", "data": DEMO + "countries.geojson"},
        "routes": {"type": "geojson", "lineMetrics": True,
                   "data": {"type": "FeatureCollection", "features": routes}},
        "home": {"type": "geojson", "data": {"type": "Point", "coordinates": HOME}},
    },
    "layers": [
        {"id": "sea", "type": "background", "paint": {"background-color": "#12122a"}},
        {"id": "land", "type": "fill", "source": "land", "paint": {"fill-color": "#232347"}},
        {"id": "borders", "type": "line", "source": "land", "paint": {"line-color": "#2f2f5c",
                                                                      "line-width": 0.6}},
        {"id": "routes", "type": "line", "source": "routes", "layout": {"line-cap": "round"},
         "paint": {"line-width": 1, "line-gradient": [
             "interpolate", ["linear"], ["line-progress"],
             0, "rgba(255,209,102,0.9)", 0.5, "rgba(239,71,111,0.65)", 1, "rgba(94,96,206,0.25)"]}},
        {"id": "home", "type": "circle", "source": "home",
         "paint": {"circle-radius": 5, "circle-color": "#ffd166", "circle-stroke-color": "#fff",
                   "circle-stroke-width": 1.5}},
    ],
}
neatline.render(style, center=(103, 22), zoom=0.75, size=(800, 470), ratio=2).save("out/routes.png")
