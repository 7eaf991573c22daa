"""A style within a style

One style takes in another, which leaves its colours open and has a slot between its land and its names: the same
basemap by day and by night, with a journey in the slot.

Group: Data on maps

Data: Natural Earth (public domain)
"""
import json
import pathlib

import neatline
from PIL import Image

ROUTE = {"type": "LineString", "coordinates": [[-9.1, 38.7], [2.35, 48.85], [13.4, 52.5], [21, 52.2], [30.3, 59.9]]}
COLORS = {"sea": ("#a9cfe4", "#101a2b"), "land": ("#f3ead9", "#27354d"), "ink": ("#3c3530", "#e8edf5")}

folder = pathlib.Path("Examples/demo")
base = json.loads((folder / "style.json").read_text())
base["schema"] = {name: {"default": day, "type": "color"} for name, (day, _) in COLORS.items()}
layers = {layer["id"]: layer for layer in base["layers"]}
layers["sea"]["paint"]["background-color"] = layers["lakes"]["paint"]["fill-color"] = ["config", "sea"]
layers["countries"]["paint"]["fill-color"] = ["config", "land"]
for name in ("city-names", "country-names"):
    halo = {"text-halo-color": ["config", "land"], "text-halo-width": 1}
    layers[name]["paint"] = {"text-color": ["config", "ink"], **halo}
base["layers"] = [layers[name] for name in ("sea", "countries", "lakes", "borders")]
base["layers"] += [{"id": "middle", "type": "slot"}, layers["city-names"], layers["country-names"]]


def style(which):
    return {
        "version": 8,
        "imports": [{"id": "base", "data": base, "config": {name: both[which] for name, both in COLORS.items()}}],
        "sources": {"route": {"type": "geojson", "data": ROUTE}},
        "layers": [
            {
                "id": "route", "type": "line", "source": "route", "slot": "middle",
                "layout": {"line-cap": "round", "line-join": "round"},
                "paint": {"line-color": ("#dc2626", "#fbbf24")[which], "line-width": 5},
            }
        ],
    }


picture = Image.new("RGB", (800, 400))
for which in (0, 1):
    with neatline.Renderer(style(which), base=str(folder / "style.json")) as renderer:
        half = renderer.draw(center=(11, 49), zoom=3, size=(400, 400))
        picture.paste(half.to_pil().convert("RGB"), (400 * which, 0))
picture.save("out/imports.png")
