"""A table of lines

Caps, joins, dashes, gaps, offsets and blurs, one row each, drawn over a map without a place: the coordinates
are just a sheet of paper.

Group: Lines and fills

Data: made by the program
"""
import neatline

ROWS = [
    ("line-cap: butt, round, square", [{"line-cap": cap} for cap in ("butt", "round", "square")],
     {"line-width": 14}),
    ("line-join: miter, bevel, round", [{"line-join": join} for join in ("miter", "bevel", "round")],
     {"line-width": 16}),
    ("line-dasharray", [{"line-dasharray": dash} for dash in ([3, 1.5], [0.1, 2], [6, 1.5, 1, 1.5])],
     {"line-width": 5}),
    ("line-gap-width: 4, 9, 14", [{"line-gap-width": gap} for gap in (4, 9, 14)], {"line-width": 3}),
    ("line-offset: three at once", [{"line-offset": 0}, {"line-offset": 0}, {"line-offset": 0}],
     {"line-width": 4}),
    ("line-blur: 2, 8, 16", [{"line-blur": blur} for blur in (2, 8, 16)], {"line-width": 20}),
]


def place(x, y):
    """Small numbers, near the equator: there a degree is as high as it is wide."""
    return [x / 10, y / 10]


LAYOUT = {"line-cap", "line-join"}
COLORS = ["#22577a", "#38a3a5", "#e4572e"]
layers = [{"id": "paper", "type": "background", "paint": {"background-color": "#fcfbf8"}}]
sources, labels = {}, []
for row, (title, ways, common) in enumerate(ROWS):
    top = 60 - 24 * row
    labels.append({"type": "Feature", "properties": {"text": title},
                   "geometry": {"type": "Point", "coordinates": place(-110, top + 8)}})
    for column, way in enumerate(ways):
        left = -110 + column * 77
        zigzag = [place(left + x, top + y) for x, y in ((0, -6), (20, 4), (33, -6), (60, 3))]
        name = f"{row}-{column}"
        sources[name] = {"type": "geojson", "data": {"type": "LineString", "coordinates": zigzag}}
        offsets = (-6, 0, 6) if "line-offset" in way else (None,)
        for number, offset in enumerate(offsets):
            paint = {**common, "line-color": COLORS[number if offset is not None else column]}
            paint.update({key: value for key, value in way.items() if key not in LAYOUT})
            if offset is not None:
                paint["line-offset"] = offset
            layout = {"line-cap": "round" if title.startswith("line-dash") else "butt", "line-join": "round"}
            layout.update({key: value for key, value in way.items() if key in LAYOUT})
            layers.append({"id": f"{name}-{number}", "type": "line", "source": name, "layout": layout,
                           "paint": paint})
            if row < 2:
                layers.append({"id": f"{name}-middle", "type": "line", "source": name,
                               "paint": {"line-color": "#ffffff", "line-width": 1}})
sources["labels"] = {"type": "geojson", "data": {"type": "FeatureCollection", "features": labels}}
layers.append({"id": "labels", "type": "symbol", "source": "labels",
               "layout": {"text-field": ["get", "text"], "text-font": ["Noto Sans Regular"], "text-size": 12,
                          "text-anchor": "left", "text-allow-overlap": True, "text-max-width": 40},
               "paint": {"text-color": "#555049"}})
style = {"version": 8, "sources": sources, "layers": layers}
neatline.render(style, center=(-0.3, 0.2), zoom=4.56, size=(800, 560), ratio=2).save("out/lines.png")
