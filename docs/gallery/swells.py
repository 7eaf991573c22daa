"""Tiles from a function

A source whose tiles a function computes when the map needs them: waves around two islands, as dots where the sea is
level and rising, cut and drawn as the tiles of a server are. Above them, and below the names, the program draws a
light of its own into the pixels of the picture.

Group: Data on maps

Data: Natural Earth (public domain)
"""
import neatline
import numpy as np

SHORES = np.array([(-28.5, 38.5), (-17, 32.7)])


def crests(z, x, y):
    """A tile's places where the height of the sea passes zero on the way up."""
    rows, columns = np.mgrid[0:97, 0:97] / 96
    lon = (x + columns) / 2**z * 360 - 180
    lat = np.degrees(np.arctan(np.sinh(np.pi * (1 - 2 * (y + rows) / 2**z))))
    height = sum(
        np.sin(3 * np.hypot((lon - place[0]) * np.cos(np.radians(35)), lat - place[1])) for place in SHORES
    )
    dots = []
    for axis in (0, 1):
        a, b = (height[:-1], height[1:]) if axis == 0 else (height[:, :-1], height[:, 1:])
        for row, column in zip(*np.nonzero((a < 0) & (b >= 0))):
            part = a[row, column] / (a[row, column] - b[row, column])
            at = (row + part * (axis == 0), column + part * (axis == 1))
            place = [(x + at[1] / 96) / 2**z * 360 - 180,
                     float(np.degrees(np.arctan(np.sinh(np.pi * (1 - 2 * (y + at[0] / 96) / 2**z)))))]
            dots.append({"type": "Feature", "properties": {"power": float(abs(b - a)[row, column])},
                          "geometry": {"type": "Point", "coordinates": place}})
    return {"type": "FeatureCollection", "features": dots}


def light(view):
    """A light from the upper left, over what is drawn below the names."""
    if view.is_frame:
        return
    rows, columns = np.mgrid[0 : view.height, 0 : view.width]
    bright = np.clip(1.3 - np.hypot(rows / view.height, columns / view.width) * 0.6, 0.6, 1)
    view.pixels[..., :3] = view.pixels[..., :3] * bright[..., None]


with neatline.Map((800, 500)) as map:
    map.load_style("Examples/demo/style.json")
    map.set_camera((-21, 36.2), zoom=4.2)
    map.loop.run()
    map.add_custom_source("waves", crests, max_zoom=8)
    map.add_layer({
        "id": "waves", "type": "circle", "source": "waves",
        "paint": {
            "circle-color": "#e0f2fe", "circle-radius": ["interpolate", ["linear"], ["get", "power"], 0, 1, 0.35, 3],
            "circle-opacity": 0.8,
        },
    }, before="countries")
    map.add_custom_layer("light", light, {"below": "city-names"})
    map.loop.run()
    map.draw().save("out/swells.png")
