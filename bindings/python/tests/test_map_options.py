"""Options of maps: what each changes."""

import pathlib

import numpy
import pytest

import neatline

HALVES = {
    "version": 8,
    "sources": {
        "s": {
            "type": "geojson",
            "data": {"type": "Polygon", "coordinates": [[[-180, 0], [180, 0], [180, 85], [-180, 85], [-180, 0]]]},
        }
    },
    "layers": [
        {"id": "b", "type": "background", "paint": {"background-color": "#00f"}},
        {"id": "north", "type": "fill", "source": "s", "paint": {"fill-color": "#f00", "fill-antialias": False}},
    ],
}
RED = (255, 0, 0, 255)
BLUE = (0, 0, 255, 255)


@pytest.fixture
def map():
    with neatline.Map(40) as map:
        map.load_style(HALVES)
        map.set_camera((0, 0), zoom=2)
        map.loop.run()
        yield map


def pixel(map, x, y):
    return tuple(numpy.asarray(map.draw())[y, x])


def test_pictures_may_be_upside_down(map):
    assert map.viewport_mode == "default" and pixel(map, 20, 5) == RED
    point = map.view.point((0, 10))
    map.viewport_mode = "flipped_y"
    assert pixel(map, 20, 5) == BLUE and pixel(map, 20, 35) == RED
    assert map.viewport_mode == "flipped_y" and map.view.point((0, 10)) == point
    with pytest.raises(neatline.InvalidArgumentError):
        map.viewport_mode = "sideways"
    assert map.viewport_mode == "flipped_y"


@pytest.mark.parametrize(
    "orientation, x, y",
    [("upwards", 20, 5), ("rightwards", 35, 20), ("downwards", 20, 35), ("leftwards", 5, 20)],
)
def test_north_is_where_the_orientation_says(map, orientation, x, y):
    map.orientation = orientation
    map.loop.run()
    assert pixel(map, x, y) == RED and pixel(map, 39 - x, 39 - y) == BLUE
    assert map.orientation == orientation and map.camera.bearing == 0
    longitude, latitude = map.view.place((x, y))
    assert latitude > 2 and abs(longitude) < 3
    map.set_camera(bounds=(-10, -1, 10, 1))
    for point in map.view.points([(-10, 0), (10, 0)]):
        assert all(-0.01 <= each <= 40.01 for each in point)
    with pytest.raises(neatline.InvalidArgumentError):
        map.orientation = "inwards"


def test_the_constrain_mode_holds_the_view(map):
    held = {}
    for mode in ("none", "height", "width_and_height"):
        map.set_limits(neatline.Limits(mode=mode))
        map.set_camera((179, 85), zoom=0)
        held[mode] = map.camera.center
    assert held["none"] == pytest.approx((179, 85))
    assert held["height"][1] < 84.9 and held["height"][0] == pytest.approx(179)
    assert held["width_and_height"][0] < 178


@pytest.mark.parametrize("is_clear", [True, False])
def test_labels_of_other_sources_keep_clear(is_clear):
    point = {"type": "geojson", "data": {"type": "Point", "coordinates": [0, 0]}}

    def layer(name, offset):
        return {
            "id": name,
            "type": "symbol",
            "source": name,
            "layout": {"icon-image": name, "icon-offset": [offset, 0]},
        }

    style = {"version": 8, "sources": {"a": point, "b": point}, "layers": [layer("a", -6), layer("b", 6)]}

    def icon(color):
        background = {"id": "b", "type": "background", "paint": {"background-color": color}}
        return neatline.render({"version": 8, "sources": {}, "layers": [background]}, size=16)

    with neatline.Map(40, cross_source_collisions=is_clear) as map:
        map.fade_duration = 0
        map.load_style(style)
        map.add_image("a", icon("#f00"))
        map.add_image("b", icon("#00f"))
        map.loop.run()
        seen = {pixel(map, 8, 20), pixel(map, 32, 20)}
    assert BLUE in seen and (RED in seen) != is_clear


DEJAVU = pathlib.Path("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf")


@pytest.mark.skipif(not DEJAVU.exists(), reason="DejaVu Sans is not installed")
@pytest.mark.filterwarnings("ignore::neatline.MissingWarning")
@pytest.mark.parametrize("glyphs, is_drawn", [("where_needed", True), ("none", False), ("all", True)])
def test_the_mode_says_who_draws(glyphs, is_drawn):
    style = {
        "version": 8,
        "sources": {"s": {"type": "geojson", "data": {"type": "Point", "coordinates": [0, 0]}}},
        "layers": [{"id": "t", "type": "symbol", "source": "s", "layout": {"text-field": "Ab"}}],
    }
    with neatline.Renderer(style, fonts=[DEJAVU], system_fonts=False, glyphs=glyphs) as renderer:
        image = renderer.draw((0, 0), 1, size=64)
    assert any(image.premultiplied) == is_drawn
    with pytest.raises(neatline.InvalidArgumentError):
        neatline.Renderer(style, glyphs="some")


@pytest.mark.skipif(not DEJAVU.exists(), reason="DejaVu Sans is not installed")
def test_letters_on_bends_move_apart():
    line = {"type": "LineString", "coordinates": [[-80, 40], [0, -20], [80, 40]]}
    layout = {
        "symbol-placement": "line-center", "text-size": 24, "text-max-angle": 180, "text-font": ["DejaVu Sans"],
        "text-field": "HHHHHHHHHH",
    }
    style = {
        "version": 8,
        "sources": {"a": {"type": "geojson", "data": line}},
        "layers": [{"id": "a", "type": "symbol", "source": "a", "layout": layout}],
    }
    ink = []
    for spreads in (True, False):
        with neatline.Renderer(style, fonts=[DEJAVU], system_fonts=False, spread_letters=spreads) as renderer:
            ink.append(sum(renderer.draw((0, 0), 1, size=400).premultiplied[3::4]))
    assert ink[0] > ink[1] > 0


def test_assets_are_files_of_their_folder_alone(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in/a.json").write_text("{}")
    (tmp_path / "secret.json").write_text("{}")
    resources = neatline.Resources(assets=tmp_path / "in")
    assert resources.load("style", "asset://a.json") == b"{}"
    for address in ("asset://../secret.json", "asset://%2e%2e/secret.json", "asset://x/../../secret.json"):
        with pytest.raises(neatline.UnsupportedError):
            resources.load("style", address)
    with pytest.raises(neatline.NotFoundError):
        resources.load("style", "asset://none.json")
    with pytest.raises(neatline.UnsupportedError):
        neatline.Resources().load("style", "asset://a.json")


def test_resources_may_be_those_of_the_process(tmp_path):
    (tmp_path / "a.json").write_text('{"version": 8, "sources": {}, "layers": []}')
    resources = neatline.Resources(assets=tmp_path)
    try:
        resources.make_default()
        neatline.Renderer("asset://a.json").close()
        # Held by the process.
        del resources
        neatline.Renderer("asset://a.json").close()
        with pytest.raises(neatline.NeatlineError):
            neatline.Renderer("asset://a.json", resources=neatline.Resources())
    finally:
        neatline.Resources.clear_default()
    with pytest.raises(neatline.NeatlineError):
        neatline.Renderer("asset://a.json")


def test_edges_of_extrusions_are_smooth_unless_it_is_said():
    ring = [[-0.001, -0.001], [0.001, -0.0005], [0.0005, 0.001], [-0.001, -0.001]]
    style = {
        "version": 8,
        "sources": {"s": {"type": "geojson", "data": {"type": "Polygon", "coordinates": [ring]}}},
        "layers": [
            {
                "id": "e",
                "type": "fill-extrusion",
                "source": "s",
                "paint": {"fill-extrusion-color": "#f00", "fill-extrusion-height": 40},
            }
        ],
    }
    alphas = []
    for options in ({}, {"smooth_edges": False}):
        with neatline.Renderer(style, **options) as renderer, neatline.Map(256, **options) as map:
            image = numpy.asarray(renderer.draw((0, 0), 16, bearing=20, pitch=50, size=256))
            map.load_style(style)
            map.set_camera((0, 0), zoom=16, bearing=20, pitch=50)
            map.loop.run()
            assert (numpy.asarray(map.draw()) == image).all()
            alphas.append(set(image[:, :, 3].ravel().tolist()))
    # Of four samples a pixel.
    assert alphas == [{0, 64, 128, 191, 255}, {0, 255}]
