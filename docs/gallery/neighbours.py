"""A choropleth: how many neighbours

Two countries that share a point of their borders are neighbours: counted here from the geometry, written into
the properties, and coloured by a `step` expression. The legend is a second, tiny map.

Group: Data on maps

Data: Natural Earth (public domain)
"""
import json
from collections import defaultdict

import neatline
from PIL import Image

with open("Examples/demo/countries.geojson", encoding="utf-8") as file:
    countries = json.load(file)

owners = defaultdict(set)
for number, feature in enumerate(countries["features"]):
    for polygon in feature["geometry"]["coordinates"]:
        for ring in polygon if isinstance(polygon[0][0], list) else [polygon]:
            for point in ring:
                owners[tuple(point)].add(number)
neighbours = defaultdict(set)
for there in owners.values():
    for number in there:
        neighbours[number] |= there - {number}
for number, feature in enumerate(countries["features"]):
    feature["properties"]["neighbours"] = len(neighbours[number])

STEPS = ["#f2f0e6", 1, "#d7e3c4", 2, "#a8cfae", 4, "#6fb2a0", 6, "#3c8d93", 8, "#23637d", 10, "#173b5c"]
style = {
    "version": 8,
    "sources": {"countries": {"type": "geojson", "data": countries}},
    "layers": [
        {"id": "sea", "type": "background", "paint": {"background-color": "#ffffff"}},
        {"id": "land", "type": "fill", "source": "countries",
         "paint": {"fill-color": ["step", ["get", "neighbours"], *STEPS]}},
        {"id": "borders", "type": "line", "source": "countries", "layout": {"line-join": "round"},
         "paint": {"line-color": "#ffffff", "line-width": 0.6}},
    ],
}
picture = neatline.render(style, center=(12, 28), zoom=0.72, size=(800, 470), ratio=2).to_pil()

words = ["none", "1", "2–3", "4–5", "6–7", "8–9", "10 and more"]
swatch = [{"type": "Feature", "properties": {"color": color, "words": text},
           "geometry": {"type": "Point", "coordinates": [0, -8.0 * row]}}
          for row, (color, text) in enumerate(zip(STEPS[::2], words))]
legend = {
    "version": 8,
    "sources": {"rows": {"type": "geojson", "data": {"type": "FeatureCollection", "features": swatch}}},
    "layers": [
        {"id": "dots", "type": "circle", "source": "rows",
         "paint": {"circle-radius": 6, "circle-color": ["get", "color"], "circle-stroke-width": 0.7,
                   "circle-stroke-color": "#9fb3b5"}},
        {"id": "words", "type": "symbol", "source": "rows",
         "layout": {"text-field": ["get", "words"], "text-font": ["Noto Sans Regular"], "text-size": 11,
                    "text-anchor": "left", "text-offset": [1, 0]},
         "paint": {"text-color": "#173b5c"}},
    ],
}
corner = neatline.render(legend, center=(24.7, -24), zoom=0.8, size=(150, 160), ratio=2).to_pil()
picture.alpha_composite(corner, (60, 560))
picture.save("out/neighbours.png")
