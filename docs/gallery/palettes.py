"""One style, eight palettes

The colours come out of a table; the rest of the style is the same. Each picture is a numpy array, and numpy
puts them side by side.

Group: Worlds

Data: Natural Earth (public domain)
"""
import neatline
import numpy as np
from PIL import Image

PALETTES = [
    # sea, land, borders, cities
    ("#a8d8ea", "#fcf6e4", "#aa96da", "#e84a5f"),
    ("#0b132b", "#1c2541", "#5bc0be", "#f6ae2d"),
    ("#f4f1de", "#e07a5f", "#f4f1de", "#3d405b"),
    ("#264653", "#2a9d8f", "#e9c46a", "#f4a261"),
    ("#ffffff", "#111111", "#ffffff", "#ff3b30"),
    ("#cdb4db", "#ffc8dd", "#bde0fe", "#6d597a"),
    ("#d8e2dc", "#84a98c", "#354f52", "#fefae0"),
    ("#14213d", "#fca311", "#14213d", "#ffffff"),
]


def draw(sea, land, border, city):
    style = {
        "version": 8,
        "sources": {name: {"type": "geojson", "data": f"Examples/demo/{name}.geojson"}
                    for name in ("countries", "cities")},
        "layers": [
            {"id": "sea", "type": "background", "paint": {"background-color": sea}},
            {"id": "land", "type": "fill", "source": "countries", "paint": {"fill-color": land}},
            {"id": "borders", "type": "line", "source": "countries", "layout": {"line-join": "round"},
             "paint": {"line-color": border, "line-width": 0.6}},
            {"id": "cities", "type": "circle", "source": "cities",
             "paint": {"circle-color": city, "circle-radius": 1.6}},
        ],
    }
    return np.asarray(neatline.render(style, center=(17.5, 3), zoom=1.02, size=(200, 260), ratio=2))


pictures = [draw(*colors) for colors in PALETTES]
rows = [np.hstack(pictures[:4]), np.hstack(pictures[4:])]
Image.fromarray(np.vstack(rows)).save("out/palettes.png")
