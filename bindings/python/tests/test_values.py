"""What callers hand in and take along: numbers of numpy, geometry objects, sizes, bounds, pickles, closed
handles."""

import datetime
import decimal
import json
import math
import pickle
import sys
import threading

import pytest
from conftest import POINTS, SQUARE

import neatline

numpy = pytest.importorskip("numpy")


class Shape:
    """What shapely's geometries and fiona's features offer."""

    def __init__(self, found):
        self.__geo_interface__ = found


class Frame(Shape):
    """What a GeoDataFrame offers of its coordinate system."""

    class System:
        def to_epsg(self):
            return 3857

    crs = System()

    def to_crs(self, number):
        assert number == 4326
        return Shape(POINTS)


def test_numpy_numbers_are_taken(blue_square):
    with neatline.Renderer(blue_square) as renderer:
        image = renderer.draw(
            center=numpy.array([0.0, 0.0]),
            zoom=numpy.float32(1),
            size=(numpy.int64(40), numpy.int32(30)),
            ratio=numpy.float64(2),
        )
        assert image.size == (80, 60)
        assert renderer.draw_tile(
            numpy.int64(0), numpy.uint8(0), numpy.int16(0), size=numpy.int64(256)
        ).size == (256, 256)
    data = neatline.GeoJSON(POINTS, max_zoom=numpy.int64(4))
    tile = data.tile(numpy.int64(0), numpy.int64(0), numpy.int64(0))
    assert len(tile["geojsonLayer"] if "geojsonLayer" in tile else next(iter(tile.values()))) == 5
    assert neatline.Expression(["get", "x"]).evaluate({"properties": {"x": numpy.int64(7)}}) == 7
    assert (
        neatline.Expression(["at", 1, ["literal", [1, 2, 3]]]).evaluate(
            {"properties": {"x": numpy.arange(3)}}
        )
        == 2
    )


def test_numbers_past_their_range_are_refused(red, tmp_path):
    renderer = neatline.Renderer(red)
    for call in (
        lambda: renderer.draw_tile(-1, 0, 0),
        lambda: renderer.draw_tile(2**32, 0, 0),
        lambda: renderer.draw(size=(-1, 5)),
        lambda: renderer.draw(size=2**40),
        lambda: renderer.draw(deadline=-1),
        lambda: renderer.draw(deadline=math.nan),
        lambda: neatline.GeoJSON(POINTS).tile(-1, 0, 0),
        lambda: neatline.Renderer(red, threads=-1),
        lambda: neatline.Renderer(red, memory_limit=-5),
        lambda: neatline.Renderer(red, retries=101),
        lambda: renderer.draw().encode("jpeg", quality=0),
    ):
        with pytest.raises(neatline.InvalidArgumentError):
            call()
    with pytest.raises(TypeError):
        renderer.draw_tile(0.5, 0, 0)
    with pytest.raises(TypeError):
        neatline.render(red, fomat="png")
    with pytest.raises(TypeError):
        neatline.GeoJSON(POINTS, maxZoom=4)


def test_sizes_may_be_one_number(red):
    assert neatline.render(red, size=64).size == (64, 64)
    assert neatline.render(red, size=[20, 10], ratio=2).size == (40, 20)
    assert neatline.render(red).size == (512, 512)


def test_bounds_are_shown_as_large_as_they_fit(blue_square):
    # The square reaches from -40 to 40 degrees: it fills the picture from edge to edge, and leaves the
    # padding free.
    renderer = neatline.Renderer(blue_square)
    pixels = numpy.asarray(renderer.draw(bounds=(-40, -40, 40, 40), size=100))
    assert (pixels[2:-2, 4:-4, 2] == 255).all() and (pixels[2:-2, 4:-4, 0] == 0).all()
    pixels = numpy.asarray(renderer.draw(bounds=numpy.array([-40, -40, 40, 40]), size=100, padding=20))
    assert (
        (pixels[50, :18, 0] == 255).all()
        and (pixels[50, 82:, 0] == 255).all()
        and (pixels[50, 24:76, 0] == 0).all()
    )
    found = renderer.query((50, 50), bounds=(-40, -40, 40, 40), size=100)
    assert [each["layer"]["id"] if isinstance(each["layer"], dict) else each["layer"] for each in found] == [
        "square"
    ]
    assert renderer.frame(bounds=(-40, -40, 40, 40), size=100).width == 100
    for wrong in (
        dict(bounds=(0, 1, 2, 0)),
        dict(bounds=(0, 0, 1, 1), zoom=3),
        dict(bounds=(0, 0, 1, math.nan)),
        dict(bounds=(0, 0, 1, 1), pitch=90),
        dict(bounds=(0, 0, 1, 1), padding=300),
    ):
        with pytest.raises(neatline.InvalidArgumentError):
            renderer.draw(**wrong)


def test_objects_with_a_geo_interface_are_geojson(tmp_path):
    assert len(neatline.GeoJSON(Shape(POINTS))) == 5
    assert len(neatline.GeoJSON([Shape(SQUARE), SQUARE, Shape(SQUARE["geometry"])])) == 3
    assert len(neatline.GeoJSON(Frame({}))) == 5, "in longitudes and latitudes"
    path = tmp_path / "points.geojson"
    path.write_text(json.dumps(POINTS))
    assert len(neatline.GeoJSON(path)) == 5
    style = {
        "version": 8,
        "sources": {"here": {"type": "geojson", "data": Shape(SQUARE)}},
        "layers": [{"id": "fill", "type": "fill", "source": "here", "paint": {"fill-color": "#00f"}}],
    }
    assert numpy.asarray(neatline.render(style, center=(0, 0), zoom=2, size=8))[4, 4].tolist() == [
        0,
        0,
        255,
        255,
    ]
    report = neatline.tile_geojson(
        {"points": Shape(POINTS), "file": path}, tmp_path / "out.pmtiles", max_zoom=1
    )
    assert report["tiles"] > 0
    for wrong in (5, object(), [5]):
        with pytest.raises(TypeError):
            neatline.GeoJSON(wrong)


def test_geopandas_frames_are_taken():
    geopandas = pytest.importorskip("geopandas")
    shapely = pytest.importorskip("shapely.geometry")
    frame = geopandas.GeoDataFrame(
        {"height": [1.5, None], "geometry": [shapely.Point(1, 2), shapely.Point(3, 4)]}, crs=4326
    ).to_crs(3857)
    data = neatline.GeoJSON(frame)
    feature = next(iter(data.tile(0, 0, 0).to_geojson(0, 0, 0).values()))["features"][0]
    assert (
        feature["geometry"]["coordinates"] == pytest.approx([1, 2], abs=0.1)
        and feature["properties"]["height"] == 1.5
    )


def test_values_of_other_libraries_become_json():
    values = {
        "d": datetime.date(2026, 1, 2),
        "n": decimal.Decimal("1.5"),
        "b": numpy.bool_(True),
        "a": numpy.array([1, 2]),
        "s": {3},
    }
    feature = {"type": "Feature", "properties": values, "geometry": {"type": "Point", "coordinates": (1, 2)}}
    found = next(iter(neatline.GeoJSON(feature).tile(0, 0, 0).values())).properties(0)
    assert found["d"] == "2026-01-02" and found["n"] == 1.5 and found["b"] is True
    with pytest.raises(TypeError, match="a object is not JSON|object"):
        neatline.Expression(["get", "x"]).evaluate({"properties": {"x": object()}})


@pytest.mark.parametrize("number", [math.nan, math.inf, numpy.float32("nan")])
def test_numbers_that_json_does_not_have_are_named(number):
    features = [dict(SQUARE, id=f"f{index}", properties={"height": 1.0}) for index in range(4)]
    features[2]["properties"] = {"height": number}
    with pytest.raises(
        neatline.InvalidArgumentError,
        match=r"features\[2\]\.properties\.height is (nan|inf).*|\(feature 'f2'\)",
    ) as raised:
        neatline.GeoJSON({"type": "FeatureCollection", "features": features})
    assert "feature 'f2'" in str(raised.value)
    with pytest.raises(neatline.InvalidArgumentError, match=r"coordinates\[1\]"):
        neatline.GeoJSON({"type": "Point", "coordinates": [0, number]})


def test_handles_are_closed(red):
    with neatline.Renderer(red) as renderer:
        image = renderer.draw(size=8)
    assert renderer.closed and not image.closed
    with pytest.raises(neatline.InvalidStateError, match="Renderer is closed"):
        renderer.draw()
    with pytest.raises(neatline.InvalidStateError):
        with renderer:
            pass
    view = image.premultiplied
    image.close()
    image.close()
    assert bytes(view[:4]) == b"\xff\x00\x00\xff", "views keep the memory"
    with pytest.raises(neatline.InvalidStateError):
        image.png()
    tile = neatline.GeoJSON(POINTS).tile(0, 0, 0)
    layer = next(iter(tile.values()))
    points = layer.points.copy()
    tile.close()
    assert (layer.points == points).all()
    with pytest.raises(neatline.InvalidStateError):
        layer.keys


def test_a_renderer_may_be_closed_while_others_draw(demo):
    renderer = neatline.Renderer(demo)
    drawn, refused = [], []

    def draw():
        while True:
            try:
                drawn.append(renderer.draw(size=64).size)
            except neatline.InvalidStateError:
                return refused.append(True)

    threads = [threading.Thread(target=draw) for _ in range(4)]
    for thread in threads:
        thread.start()
    while len(drawn) < 8:
        threading.Event().wait(0.01)
    renderer.close()
    for thread in threads:
        thread.join(20)
    assert len(refused) == 4 and set(drawn) == {(64, 64)}


def test_pictures_are_pickled(blue_square):
    image = neatline.render(blue_square, size=(30, 20))
    copy = pickle.loads(pickle.dumps(image))
    assert copy.size == (30, 20) and bytes(copy.premultiplied) == bytes(image.premultiplied)
    with pytest.raises(TypeError):
        pickle.dumps(neatline.Renderer(blue_square))


def test_what_is_not_installed_is_named(red, monkeypatch):
    image = neatline.render(red, size=4)
    monkeypatch.setitem(sys.modules, "PIL", None)
    monkeypatch.setitem(sys.modules, "PIL.Image", None)
    with pytest.raises(ImportError, match=r"neatline\[pil\]"):
        image.to_pil()
    monkeypatch.setattr(neatline._arrays, "numpy", None)
    with pytest.raises(ImportError, match=r"neatline\[numpy\]"):
        image.to_numpy()
    assert len(image.tobytes()) == 64
