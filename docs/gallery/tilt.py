"""Pitch and bearing

The camera looks east along the Mediterranean from the west, 60 degrees from straight down. Labels stand
upright, the grid lies on the ground.

Group: Worlds

Data: Natural Earth (public domain)
"""
import neatline

DEMO = "Examples/demo/"


def line(points):
    return {"type": "Feature", "properties": {}, "geometry": {"type": "LineString", "coordinates": points}}


grid = [line([(lon, lat) for lat in range(-20, 80, 1)]) for lon in range(-40, 121, 5)]
grid += [line([(lon, lat) for lon in range(-40, 121, 1)]) for lat in range(-20, 80, 5)]
style = {
    "version": 8,
    "sources": {
        "land": {"type": "geojson", "data": DEMO + "countries.geojson"},
        "cities": {"type": "geojson", "data": DEMO + "cities.geojson"},
        "grid": {"type": "geojson", "data": {"type": "FeatureCollection", "features": grid}},
    },
    "layers": [
        {"id": "sea", "type": "background", "paint": {"background-color": "#17586b"}},
        {"id": "shelf", "type": "line", "source": "land",
         "paint": {"line-color": "#2b8294", "line-width": 22, "line-blur": 20}},
        {"id": "grid", "type": "line", "source": "grid",
         "paint": {"line-color": "#8fd3d1", "line-opacity": 0.28, "line-width": 1}},
        {"id": "land", "type": "fill", "source": "land",
         "paint": {"fill-color": ["match", ["%", ["get", "color"], 3], 0, "#f1e2c3", 1, "#e7cfa4",
                                  "#dcbf8b"]}},
        {"id": "borders", "type": "line", "source": "land",
         "paint": {"line-color": "#8d6f45", "line-width": 1, "line-opacity": 0.7}},
        {"id": "cities", "type": "circle", "source": "cities",
         "paint": {"circle-radius": 3, "circle-color": "#b8432f", "circle-stroke-color": "#fff",
                   "circle-stroke-width": 1.2, "circle-pitch-alignment": "map"}},
        {"id": "names", "type": "symbol", "source": "cities",
         "layout": {"text-field": ["get", "name"], "text-font": ["Noto Sans Bold"], "text-size": 11,
                    "text-anchor": "bottom", "text-offset": [0, -0.5]},
         "paint": {"text-color": "#3a2a17", "text-halo-color": "#fff7e6", "text-halo-width": 1.5}},
    ],
}
picture = neatline.render(style, center=(11, 37.5), zoom=3.15, pitch=58, bearing=70, size=(800, 520), ratio=2)
picture.save("out/tilt.png")
