"""What is under the pointer

`Renderer.query` tells which features are drawn within a box of pixels, topmost first. Here the box is a lens
in the middle of the picture; what it finds is drawn again on top, in another colour, by its name.

Group: Answers

Data: Natural Earth (public domain)
"""
import neatline
from PIL import ImageDraw

DEMO = "Examples/demo/"
VIEW = {"center": (21, 6), "zoom": 2.35, "size": (800, 560), "ratio": 2}
LENS = (560, 360, 1040, 760)  # device pixels
BASE = [
    {"id": "sea", "type": "background", "paint": {"background-color": "#dbe7ea"}},
    {"id": "land", "type": "fill", "source": "land",
     "paint": {"fill-color": "#fbf9f3", "fill-outline-color": "#cfc8b6"}},
    {"id": "cities", "type": "circle", "source": "cities",
     "paint": {"circle-radius": 3, "circle-color": "#b8b2a2"}},
]
sources = {"land": {"type": "geojson", "data": DEMO + "countries.geojson"},
           "cities": {"type": "geojson", "data": DEMO + "cities.geojson"}}

with neatline.Renderer({"version": 8, "sources": sources, "layers": BASE}) as renderer:
    found = renderer.query(LENS, **VIEW)
countries = sorted({each["properties"]["name"] for each in found if each["layer"] == "land"})
cities = sorted({each["properties"]["name"] for each in found if each["layer"] == "cities"})
print(len(countries), "countries,", len(cities), "cities")

top = [
    {"id": "found", "type": "fill", "source": "land", "filter": ["in", ["get", "name"],
                                                                 ["literal", countries]],
     "paint": {"fill-color": "#f4c95d", "fill-outline-color": "#ffffff"}},
    {"id": "found-cities", "type": "circle", "source": "cities",
     "filter": ["in", ["get", "name"], ["literal", cities]],
     "paint": {"circle-radius": 4.5, "circle-color": "#7d1538", "circle-stroke-color": "#fff",
               "circle-stroke-width": 1.3}},
    {"id": "names", "type": "symbol", "source": "cities", "filter": ["in", ["get", "name"],
                                                                     ["literal", cities]],
     "layout": {"text-field": ["get", "name"], "text-font": ["Noto Sans Regular"], "text-size": 11,
                "text-variable-anchor": ["left", "right", "top", "bottom"], "text-radial-offset": 0.7},
     "paint": {"text-color": "#4a0d22", "text-halo-color": "#fdf3d7", "text-halo-width": 1.4}},
]
picture = neatline.render({"version": 8, "sources": sources, "layers": BASE + top}, **VIEW).to_pil()

ImageDraw.Draw(picture).rounded_rectangle(LENS, radius=6, outline="#7d1538", width=4)
picture.save("out/query.png")
