"""Labels that make room

The same 241 cities four times: labels that may only stand above, that may choose among eight places, that
have a sort key, and that may all overlap. What does not fit is left out, never drawn over another.

Group: Labels

Data: Natural Earth (public domain)
"""
import neatline
from PIL import Image

PLACES = ["top", "bottom", "left", "right", "top-left", "top-right", "bottom-left", "bottom-right"]
BASE = {"text-field": ["get", "name"], "text-font": ["Noto Sans Regular"], "text-size": 9}
WAYS = [
    {"text-anchor": "bottom", "text-offset": [0, -0.4]},
    {"text-variable-anchor": PLACES, "text-radial-offset": 0.5},
    {"text-variable-anchor": PLACES, "text-radial-offset": 0.5,
     "symbol-sort-key": ["length", ["get", "name"]], "text-max-width": 5},
    {"text-anchor": "bottom", "text-offset": [0, -0.4], "text-allow-overlap": True},
]


def draw(way):
    style = {
        "version": 8,
        "sources": {name: {"type": "geojson", "data": f"Examples/demo/{name}.geojson"}
                    for name in ("countries", "cities")},
        "layers": [
            {"id": "sea", "type": "background", "paint": {"background-color": "#e4ecf0"}},
            {"id": "land", "type": "fill", "source": "countries",
             "paint": {"fill-color": "#fffdf7", "fill-outline-color": "#d8d3c4"}},
            {"id": "dots", "type": "circle", "source": "cities",
             "paint": {"circle-radius": 2, "circle-color": "#d1495b"}},
            {"id": "names", "type": "symbol", "source": "cities", "layout": {**BASE, **way},
             "paint": {"text-color": "#264653", "text-halo-color": "#fffdf7", "text-halo-width": 1.2}},
        ],
    }
    return neatline.render(style, bounds=(-11, 34, 45, 61), size=(396, 270), ratio=2).to_pil()


sheet = Image.new("RGB", (1600, 1096), "white")
for number, way in enumerate(WAYS):
    sheet.paste(draw(way), (number % 2 * 808, number // 2 * 556))
sheet.save("out/anchors.png")
