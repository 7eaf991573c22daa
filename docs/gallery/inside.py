"""Inside a tile

GeoJSON cut into a vector tile, and the tile drawn in its own units: the square of 4,096, the buffer around it
that lets lines reach over the edge, every vertex as a dot. `GeoJSON.tile` gives columns of numpy.

Group: For machines

Data: Natural Earth (public domain)
"""
import pathlib

import neatline

with neatline.GeoJSON(pathlib.Path("Examples/demo/countries.geojson"), buffer=256, tolerance=3) as data:
    tile = data.tile(2, 2, 1)
layer = tile.layers[0]


def place(x, y):
    """Tile units as degrees, which a map then shows undistorted near the equator."""
    return [(float(x) - 2048) / 60, -(float(y) - 2048) / 60]


def feature(kind, coordinates, **properties):
    return {"type": "Feature", "properties": properties, "geometry": {"type": kind,
                                                                      "coordinates": coordinates}}


def square(low, high):
    return [place(low, low), place(high, low), place(high, high), place(low, high), place(low, low)]


rings = [feature("Polygon", [[place(*point) for point in part]], number=number)
         for number, each in enumerate(layer) for part in each.parts]
vertices = [place(*point) for point in layer.points]
frames = [feature("LineString", square(0, 4096), edge="tile"),
          feature("LineString", square(-256, 4352), edge="buffer")]


def source(features):
    return {"type": "geojson", "maxzoom": 5, "tolerance": 0,
            "data": {"type": "FeatureCollection", "features": features}}


style = {
    "version": 8,
    "sources": {"rings": source(rings), "frames": source(frames),
                "vertices": source([feature("MultiPoint", vertices)])},
    "layers": [
        {"id": "paper", "type": "background", "paint": {"background-color": "#0f2233"}},
        {"id": "rings", "type": "fill", "source": "rings", "paint": {
            "fill-opacity": 0.85, "fill-outline-color": "#0f2233",
            "fill-color": ["interpolate-hcl", ["linear"], ["%", ["*", ["get", "number"], 7], 24],
                           0, "#2a6f97", 12, "#468faf", 24, "#61a5c2"]}},
        {"id": "vertices", "type": "circle", "source": "vertices",
         "paint": {"circle-radius": 1.7, "circle-color": "#ffd166"}},
        {"id": "frames", "type": "line", "source": "frames", "paint": {
            "line-color": ["match", ["get", "edge"], "tile", "#ef476f", "#8ecae6"],
            "line-width": ["match", ["get", "edge"], "tile", 2.5, 1], "line-dasharray": [3, 1.5]}},
    ],
}
neatline.render(style, center=(0, 0), zoom=2.28, size=(700, 700), ratio=2).save("out/inside.png")
