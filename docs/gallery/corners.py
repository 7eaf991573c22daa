"""What stands in the corners

A scale bar for the latitude of the middle, a compass that is turned with the map, whom the data is owed to, and a mark
of one's own, which is a picture as any other: here one that the same engine has drawn. Ornaments of one corner stack,
and none lies over another.

Group: For machines

Data: Natural Earth
"""
import neatline


def mark():
    """A sun over two waves, on nothing."""
    waves = [[[x / 2, (-7 if row == 0 else -15) + (1.6 if x % 16 < 8 else -1.6)] for x in range(-56, 57, 8)]
             for row in range(2)]
    return neatline.render({
        "version": 8,
        "sources": {
            "sun": {"type": "geojson", "data": {"type": "Point", "coordinates": [0, 9]}},
            "waves": {"type": "geojson", "data": {"type": "MultiLineString", "coordinates": waves}}},
        "layers": [
            {"id": "sun", "type": "circle", "source": "sun",
             "paint": {"circle-color": "#e0a458", "circle-radius": 9, "circle-stroke-color": "#fff",
                       "circle-stroke-width": 2}},
            {"id": "edge", "type": "line", "source": "waves", "layout": {"line-cap": "round", "line-join": "round"},
             "paint": {"line-color": "#fff", "line-width": 6}},
            {"id": "waves", "type": "line", "source": "waves", "layout": {"line-cap": "round", "line-join": "round"},
             "paint": {"line-color": "#28536b", "line-width": 3}}]},
        center=(0, -1), zoom=0, size=(92, 60), ratio=2)


corners = neatline.Ornaments(
    scale_bar=neatline.ScaleBar(position="bottom_left", margins=(16, 16)),
    compass=neatline.Compass(margins=(16, 16)),
    attribution=neatline.Attribution(margins=(16, 16)),
    logo=neatline.Logo(mark(), position="top_left", margins=(16, 16), image_ratio=2))
neatline.render(
    "Examples/demo/style.json", center=(23.5, 38), zoom=4.6, bearing=24, pitch=35, size=(720, 440), ratio=2,
    ornaments=corners).save("out/corners.png")
