"""The world from space

The demo's map on a globe with the root `fog` of Mapbox styles: a glow at its edge, air around it, and stars.

Group: Worlds

Data: Natural Earth (public domain)
"""
import json

import neatline

with open("Examples/demo/style.json") as file:
    style = json.load(file)
style["projection"] = {"type": "globe"}
style["fog"] = {
    "color": "#bfdcf5", "high-color": "#2f6fd6", "space-color": "#03060f", "horizon-blend": 0.08,
    "star-intensity": 0.9,
}
neatline.render(
    style, center=(15, 30), zoom=1.15, size=(800, 620), ratio=2, base="Examples/demo/").save("out/space.png")
