"""What an application shows

Annotations over a map: a journey as a polyline with pins at its ends, a polygon that it crosses, circles whose
size and colour are their own, and points that are shown as one cluster as long as they lie close together. All of
them can be tapped, selected and dragged.

Group: Data on maps

Data: Natural Earth (public domain)
"""
import io

import neatline
import numpy as np
from neatline import CircleAnnotation, PointAnnotation, PolygonAnnotation, PolylineAnnotation
from PIL import Image

y, x = np.mgrid[0:48, 0:32]
pin = np.zeros((48, 32, 4), np.uint8)
pin[(np.hypot(x - 15.5, y - 15.5) <= 14) | (y >= 16) & (np.abs(x - 15.5) <= 14 * (47 - y) / 31)] = 225, 29, 72, 255
pin[np.hypot(x - 15.5, y - 15.5) <= 5] = 255
packed = io.BytesIO()
Image.fromarray(pin).save(packed, "png")

AREA = {"type": "Polygon", "coordinates": [[[4, 44], [16, 44], [18, 50], [8, 53], [4, 44]]]}
ROUTE = [[-9.1, 38.7], [2.35, 48.85], [13.4, 52.5], [21, 52.2], [30.3, 59.9]]
CITIES = [((-3.7, 40.4), 9, "#16a34a"), ((12.5, 41.9), 7, "#ca8a04"), ((23.7, 38), 5, "#9333ea")]

with neatline.Map((800, 500)) as map:
    map.load_style("Examples/demo/style.json")
    map.set_camera((11, 50.5), zoom=3)
    map.make_annotations("polygon").add(
        PolygonAnnotation(AREA, fill_color="#3b82f6", fill_opacity=0.35, fill_outline_color="#1e3a8a")
    )
    map.make_annotations("polyline", line_cap="round", line_join="round").add(
        PolylineAnnotation({"type": "LineString", "coordinates": ROUTE}, line_color="#dc2626", line_width=4)
    )
    map.make_annotations("circle", circle_stroke_width=2, circle_stroke_color="#ffffff").set(
        [CircleAnnotation(place, circle_radius=size, circle_color=color) for place, size, color in CITIES]
    )
    map.make_annotations("circle", cluster={"colors": [[0, "#0f766e"]], "circleRadius": 14}).set(
        [CircleAnnotation((20 + column, 45 + row)) for column in range(4) for row in range(3)]
    )
    map.add_persistent_image("pin", neatline.decode_image(packed.getvalue()), ratio=2)
    map.make_annotations("point").set(
        [PointAnnotation(place, icon_image="pin", icon_anchor="bottom") for place in (ROUTE[0], ROUTE[-1])]
    )
    map.loop.run()
    map.draw().save("out/pins.png")
