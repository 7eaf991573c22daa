"""Tiles that are drawn each alone make the same mosaic as one picture of all of them, in which nothing is cut:
no label is missing on one side of a line between tiles, or stands elsewhere."""

import json
import math
import pathlib
import random

import pytest

import neatline

np = pytest.importorskip("numpy")

SHARED = pathlib.Path(__file__).resolve().parents[4] / "shared/data"
STYLES = sorted((SHARED / "styles").glob("*.json"))
# Tiles along an edge of a mosaic.
SIDE = 8
NAMES = ["Ash", "Birch Hill", "Dogwood Lane East", "Elm", "Great Oak of the Old Northern Wood", "Fir"]

pytestmark = pytest.mark.skipif(not STYLES, reason="no shared data beside the checkout")


def tile_at(longitude, latitude, zoom):
    sine = math.sin(math.radians(latitude))
    y = 0.5 - math.log((1 + sine) / (1 - sine)) / (4 * math.pi)
    return int((longitude / 360 + 0.5) * 2**zoom), int(y * 2**zoom)


def pixels(image):
    return np.frombuffer(image.premultiplied, np.uint8).reshape(image.height, image.width, 4).astype(np.int16)


def differences(alone, whole):
    """How many pixels the first picture covers, and how many are far from the other's: up to 32 pixels from
    an edge, and elsewhere."""
    assert alone.size == whole.size
    a, b = (pixels(alone), pixels(whole))
    far = (np.abs(a - b) > 24).any(axis=2) & ((a[:, :, 3] != 0) | (b[:, :, 3] != 0))
    inner = far[32:-32, 32:-32].sum()
    return int((a[:, :, 3] != 0).sum()), int(far.sum() - inner), int(inner)


def compare_mosaic(renderer, zoom, longitude, latitude, edge):
    """Compares tiles drawn alone with those of one picture; how many pixels the labels cover."""
    x, y = tile_at(longitude, latitude, zoom)
    x0, y0 = (min(max(0, value - SIDE // 2), 2**zoom - SIDE) for value in (x, y))
    whole = renderer.draw_tiles(zoom, x0, y0, SIDE, size=edge)
    ink = 0
    for row in range(SIDE):
        for column in range(SIDE):
            alone = renderer.draw_tile(zoom, x0 + column, y0 + row, size=edge)
            covered, at_edges, within = differences(alone, whole[row * SIDE + column])
            # What is cut is missing where it comes in, at the edge. Elsewhere the side of an icon that lies
            # in the middle of pixels may fall either way, a column or a row of its pixels.
            assert at_edges <= 2, f"{zoom}/{x0 + column}/{y0 + row}"
            assert within <= 16, f"{zoom}/{x0 + column}/{y0 + row}"
            ink += covered
    return ink


@pytest.mark.parametrize("edge", [256, 512])
@pytest.mark.parametrize("path", STYLES, ids=lambda path: path.stem)
@pytest.mark.filterwarnings("ignore::neatline.MissingWarning")
def test_no_label_is_cut(path, edge):
    style = json.loads(path.read_text())
    style["layers"] = [layer for layer in style["layers"] if layer["type"] == "symbol"]
    # Servers draw each tile by one thread.
    renderer = neatline.Renderer(style, base=str(path), threads=1)
    camera = renderer.info
    lon, lat = camera["center"]
    # A tile of 512 pixels at zoom z is as large as one of 256 at z + 1. The world has 8 x 8 tiles at zoom 3.
    base = max(math.floor(camera["zoom"] + 0.5) + (edge == 256), 6)
    zooms = (base - 3, base - 1, base, base + 1)
    ink = sum(compare_mosaic(renderer, zoom, lon, lat, edge) for zoom in zooms)
    if not path.stem.endswith("heatmap"):
        assert ink > 1000, "the tiles show labels"


def crowd(layout):
    """Far more labels than have room, of points or along lines."""
    chance = random.Random(5)
    is_line = "symbol-placement" in layout
    features = []
    for number in range(1500 if is_line else 5000):
        lon, lat = chance.uniform(-170, 170), chance.uniform(-70, 70)
        geometry = {"type": "Point", "coordinates": [lon, lat]}
        if is_line:
            dx, dy = chance.uniform(-8, 8), chance.uniform(-5, 5)
            corners = [[lon + dx * step, lat + dy * (step % 4)] for step in range(6)]
            geometry = {"type": "LineString", "coordinates": corners}
        name = NAMES[number % len(NAMES)]
        features.append({"type": "Feature", "properties": {"n": name}, "geometry": geometry})
    layout = {**layout, "text-field": ["get", "n"], "text-font": ["Noto Sans Regular"]}
    return {
        "version": 8,
        "glyphs": f"{SHARED}/glyphs/{{fontstack}}/{{range}}.pbf",
        "sources": {"s": {"type": "geojson", "data": {"type": "FeatureCollection", "features": features}}},
        "layers": [{"id": "names", "type": "symbol", "source": "s", "layout": layout}],
    }


# Labels for which a tile must look further than to their boxes.
@pytest.mark.parametrize(
    "layout",
    [
        # Letters reach far out of lines that are packed tightly.
        {"text-size": 70, "text-line-height": 0.05, "text-max-width": 2, "text-padding": 0},
        {"text-size": 12, "text-rotate": 35, "text-offset": [4, 3]},
        # As far from their anchors as they may.
        {"text-size": 13, "text-max-width": 5, "text-offset": [5, 4]},
        {"text-size": 26, "text-max-width": 7, "text-variable-anchor": ["left", "right", "top"]},
        # Longer than what may cross a line, but standing whatever they meet.
        {
            "text-size": 30,
            "symbol-placement": "line-center",
            "text-allow-overlap": True,
            "text-max-angle": 180,
        },
        {"text-size": 14, "symbol-placement": "line", "symbol-spacing": 60, "text-offset": [0, 2.5]},
    ],
    ids=["tight", "rotated", "offset", "variable-anchor", "line-center", "line"],
)
def test_no_label_is_cut_that_reaches_far(layout):
    renderer = neatline.Renderer(crowd(layout), threads=1)
    ink = sum(compare_mosaic(renderer, 5 if edge == 256 else 4, 0, 10, edge) for edge in (256, 512))
    assert ink > 100_000, "the tiles show labels"
