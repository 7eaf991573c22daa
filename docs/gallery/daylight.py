"""Day and night

Where the sun is up, computed for a moment: seven nested polygons shade the twilight. The sun stands above the
place with the small circle.

Group: Data on maps

Data: Natural Earth (public domain)
"""
import math

import neatline

DECLINATION, NOON_AT = 23.2, 38.0  # degrees: a day in June, the meridian that has noon


def shade(depth):
    """Where the sun is more than `depth` degrees below the horizon."""
    points = []
    for lon in range(-180, 181, 2):
        hour = math.radians(lon - NOON_AT)
        low, high = -90.0, 90.0
        d = math.radians(DECLINATION)

        def height(lat):
            lat = math.radians(lat)
            return math.degrees(math.asin(
                math.sin(lat) * math.sin(d) + math.cos(lat) * math.cos(d) * math.cos(hour))) + depth

        # In June the north has the day: the sun's height grows from the south pole northwards.
        for _ in range(40):
            middle = (low + high) / 2
            low, high = (middle, high) if height(middle) < 0 else (low, middle)
        points.append([lon, max(-89.0, low)])
    ring = [[-180, -89.5], *points, [180, -89.5], [-180, -89.5]]
    return {"type": "Feature", "properties": {}, "geometry": {"type": "Polygon", "coordinates": [ring]}}


shades = [shade(depth) for depth in (0, 3, 6, 9, 12, 15, 18)]
style = {
    "version": 8,
    "sources": {
        "land": {"type": "geojson", "data": "Examples/demo/countries.geojson"},
        "cities": {"type": "geojson", "data": "Examples/demo/cities.geojson"},
        "night": {"type": "geojson", "data": {"type": "FeatureCollection", "features": shades}},
        "sun": {"type": "geojson", "data": {"type": "Point", "coordinates": [NOON_AT, DECLINATION]}},
    },
    "layers": [
        {"id": "sea", "type": "background", "paint": {"background-color": "#8fc6df"}},
        {"id": "land", "type": "fill", "source": "land",
         "paint": {"fill-color": "#f2e8cf", "fill-outline-color": "#c9bb94"}},
        {"id": "night", "type": "fill", "source": "night",
         "paint": {"fill-color": "#0b1437", "fill-opacity": 0.2, "fill-antialias": False}},
        {"id": "lights", "type": "circle", "source": "cities",
         "filter": ["within", {**shades[2]["geometry"]}],
         "paint": {"circle-radius": 2.2, "circle-color": "#ffd27f", "circle-blur": 0.3}},
        {"id": "sun", "type": "circle", "source": "sun",
         "paint": {"circle-radius": 9, "circle-color": "#ffb703", "circle-stroke-color": "#ffffff",
                   "circle-stroke-width": 3}},
    ],
}
neatline.render(style, center=(20, 12), zoom=0.66, size=(800, 520), ratio=2).save("out/daylight.png")
