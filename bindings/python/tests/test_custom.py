"""Layers and sources of an application's own."""

import asyncio
import gc
import json
import os
import pathlib
import threading
import time
import weakref
from concurrent.futures import Future

import neatline
import pytest
from neatline import InvalidArgumentError, InvalidStateError, LimitExceededError, NotFoundError

numpy = pytest.importorskip("numpy")
PIL = pytest.importorskip("PIL.Image")

ROOT = pathlib.Path(__file__).resolve().parents[3]
STYLE = {
    "version": 8,
    "sources": {},
    "layers": [
        {"id": "ground", "type": "background", "paint": {"background-color": "#00f"}},
        {"id": "veil", "type": "background", "paint": {"background-color": "#0f0", "background-opacity": 0}},
    ],
}
FILL = {"id": "fill", "type": "fill", "source": "own", "paint": {"fill-color": "#f00", "fill-antialias": False}}
WORLD = {"type": "Polygon", "coordinates": [[[-180, -85], [180, -85], [180, 85], [-180, 85], [-180, -85]]]}


@pytest.fixture
def map():
    with neatline.Map(64) as map:
        map.load_style(STYLE)
        # Within tile 2/1/1.
        map.set_camera((-45, 41), zoom=2)
        map.loop.run()
        yield map


def colour(map, x=32, y=32):
    return tuple(numpy.asarray(map.draw())[y, x][:3])


def problems(map):
    told = []
    map.on_every("map_loading_error", told.append)
    return told


def until(map, condition, seconds=20):
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        map.loop.run(0.02)
    assert condition()


# Layers


class Host:
    def __init__(self, draw=None):
        self.calls, self.draw = [], draw

    def initialize(self):
        self.calls.append("initialize")

    def render(self, view):
        self.calls.append("render")
        if self.draw:
            self.draw(view)

    def deinitialize(self):
        self.calls.append("deinitialize")


def test_a_function_draws_on_the_pixels_between_two_layers(map):
    seen = []

    def draw(view):
        assert view.pixels.shape == (64, 64, 4) and view.pixels.dtype == numpy.uint8
        assert (view.pixels == (0, 0, 255, 255)).all()
        view.pixels[:32] = 255, 0, 0, 255
        seen.append(view)

    map.add_custom_layer("own", draw, {"below": "veil"})
    assert [layer["id"] for layer in map.info["layers"]] == ["ground", "own", "veil"]
    assert colour(map, 5, 5) == (255, 0, 0) and colour(map, 5, 50) == (0, 0, 255)
    map.set_paint_property("veil", "background-opacity", 1)
    map.loop.run()
    assert colour(map, 5, 5) == (0, 255, 0)
    view = seen[0]
    assert view.camera.center == (-45, 41) and view.camera.zoom == 2 and view.camera.field_of_view > 30
    assert len(view.matrix) == 16 and (view.width, view.height, view.ratio) == (64, 64, 1)
    with pytest.raises(InvalidStateError):
        view.pixels
    with pytest.raises(InvalidStateError):
        view.draw_triangles([(0, 0)], [0, 0, 0], (1, 1, 1, 1))


def test_what_is_kept_of_the_pixels_is_no_danger(map):
    kept = []
    map.add_custom_layer("own", lambda view: kept.append(view.pixels))
    for _ in range(3):
        map.draw()
    gc.collect()
    for pixels in kept:
        assert (pixels == (0, 0, 255, 255)).all()
        pixels[:] = 7


def test_triangles_are_on_pixels_and_in_frames(map):
    square = [(-90, 0), (0, 0), (-90, 70), (0, 70)]
    colors = [(1, 0, 0, 1)] * 4
    host = Host(lambda view: view.draw_triangles(square, numpy.array([[0, 1, 2], [2, 1, 3]]), colors))
    map.add_custom_layer("own", host, {"below": "veil"})
    assert colour(map) == (255, 0, 0)
    frame = map.frame()
    kinds = [frame.command(index).kind for index in range(frame.command_count)]
    assert kinds[:3] == ["background", "custom", "custom"]
    vertices = frame.buffer(frame.command(2).raw.vertex_buffer)
    assert vertices.layout == "custom" and len(vertices.elements) == 4
    assert tuple(vertices.elements[0]["color"]) == (255, 0, 0, 255)
    assert host.calls == ["initialize", "render", "render"]
    map.remove_layer("own")
    assert host.calls[-1] == "deinitialize"


def test_solid_triangles_show_the_nearest(map):
    def square(height):
        return [(-90, 0, height), (0, 0, height), (-90, 70, height), (0, 70, height)]

    def draw(view):
        view.draw_solid(square(2000), [0, 1, 2, 2, 1, 3], (1, 0, 0, 1))
        view.draw_solid(square(1000), [0, 1, 2, 2, 1, 3], (0, 1, 0, 1))

    map.add_custom_layer("own", draw, {"below": "veil"})
    assert colour(map) == (255, 0, 0)
    frame = map.frame()
    kinds = [frame.command(index).kind for index in range(frame.command_count)]
    assert kinds[:4] == ["background", "custom", "custom_solid", "custom_solid"]
    map.remove_layer("own")


def test_faces_that_there_are_not_are_refused(map):
    def draw(view):
        with pytest.raises(InvalidArgumentError, match="sideways"):
            view.draw_solid([(0, 0)], [0, 0, 0], (1, 1, 1, 1), faces="sideways")

    map.add_custom_layer("own", draw)
    map.draw()


@pytest.mark.parametrize(
    "arguments, words",
    [
        (([(0, 0)], [0, 0, 1], (1, 1, 1, 1)), "index 1 of 1 vertices"),
        (([(0, 0)], [0, 0], (1, 1, 1, 1)), "no triangles"),
        (([(0, float("nan"))], [0, 0, 0], (1, 1, 1, 1)), "not finite"),
        (([(0, 0)], [0, 0, -1], (1, 1, 1, 1)), "index -1"),
        (([(0, 0, 0, 0)], [0, 0, 0], (1, 1, 1, 1)), "two or three numbers"),
        (([(0, 0)], [0, 0, 0], [(1, 1, 1, 1)] * 2), "2 colors for 1 vertices"),
    ],
)
def test_faulty_triangles_are_refused(map, arguments, words):
    raised = []

    def draw(view):
        with pytest.raises(InvalidArgumentError, match=words) as caught:
            view.draw_triangles(*arguments)
        raised.append(caught)
        with pytest.raises(InvalidArgumentError, match="units"):
            view.draw_triangles([(0, 0)], [0, 0, 0], (1, 1, 1, 1), units="miles")

    map.add_custom_layer("own", draw)
    assert not map.draw().missing and raised


def test_what_a_layer_raises_is_a_problem_and_the_rest_is_drawn(map):
    told = problems(map)

    def draw(view):
        raise RuntimeError("no paint " + "x" * 1000)

    map.add_custom_layer("own", draw, {"below": "veil"})
    image = map.draw()
    (missing,) = image.missing
    assert missing.layer == "own" and missing.message.startswith("RuntimeError: no paint")
    assert tuple(numpy.asarray(image)[32, 32][:3]) == (0, 0, 255)
    map.loop.run()
    assert ["RuntimeError: no paint" in str(event.error) for event in told] == [True]


def test_a_layer_may_remove_itself_or_close_the_map():
    for is_close in (False, True):
        with neatline.Map(64) as map:
            map.load_style(STYLE)
            map.loop.run()
            host = Host(lambda view: map.close() if is_close else map.remove_layer("own"))
            map.add_custom_layer("own", host)
            # A call that is under way keeps the map until it ends.
            map.draw()
            assert host.calls == ["initialize", "render", "deinitialize"] and map.closed == is_close


def test_the_map_cannot_be_drawn_within_a_layer(map):
    def draw(view):
        with pytest.raises(InvalidStateError):
            map.draw()
        with pytest.raises(InvalidStateError):
            map.frame()

    map.add_custom_layer("own", draw)
    assert not map.draw().missing


def test_a_persistent_layer_is_in_every_style():
    host = Host()
    with neatline.Map(64) as map:
        map.add_custom_layer("own", host, persistent=True)
        for _ in range(2):
            map.load_style(STYLE)
            map.loop.run()
            map.draw()
        assert map.persistent_layers == ["own"]
    assert host.calls == ["initialize", "render", "render", "deinitialize"]


def test_layers_are_refused_and_their_hosts_let_go_of(map):
    host = Host()
    gone = weakref.ref(host)
    with pytest.raises(InvalidArgumentError, match="already there"):
        map.add_custom_layer("ground", host)
    with pytest.raises(NotFoundError):
        map.add_custom_layer("own", host, {"above": "nothing"})
    with pytest.raises(InvalidArgumentError, match="no function"):
        map.add_custom_layer("own", 7)
    del host
    gc.collect()
    assert gone() is None
    with neatline.Map(64) as bare, pytest.raises(InvalidStateError):
        bare.add_custom_layer("own", Host())


def test_repainting_makes_a_frame_due(map):
    frames = []
    map.on_every("render_frame_finished", frames.append)
    map.loop.run()
    assert not frames
    map.trigger_repaint()
    map.loop.run()
    assert len(frames) == 1


# Sources


def test_a_function_gives_tiles_on_threads_of_its_own(map):
    asked = []

    def tile(z, x, y):
        asked.append((z, x, y, threading.current_thread() is threading.main_thread()))
        return WORLD

    map.add_custom_source("own", tile, max_zoom=6)
    map.add_layer(FILL)
    map.loop.run()
    assert asked == [(2, 1, 1, False)] and colour(map) == (255, 0, 0)
    assert map.is_loaded and not map.draw().missing


class Geometry:
    __geo_interface__ = WORLD


@pytest.mark.parametrize(
    "data",
    [
        WORLD,
        json.dumps(WORLD),
        json.dumps(WORLD).encode(),
        Geometry(),
        [Geometry()],
        {"type": "FeatureCollection", "features": [{"type": "Feature", "properties": {}, "geometry": WORLD}]},
    ],
    ids=["dict", "text", "bytes", "interface", "list", "collection"],
)
@pytest.mark.parametrize("workers", [0, 2])
def test_tiles_have_many_forms(map, data, workers):
    map.add_custom_source("own", lambda z, x, y: data, workers=workers)
    map.add_layer(FILL)
    map.loop.run()
    assert colour(map) == (255, 0, 0)


def test_nothing_is_a_tile_too(map):
    map.add_custom_source("own", lambda z, x, y: None)
    map.add_layer(FILL)
    map.loop.run()
    assert colour(map) == (0, 0, 255) and map.is_loaded and not map.draw().missing


@pytest.mark.parametrize(
    "fail, words",
    [
        (lambda: 1 / 0, "ZeroDivisionError: division by zero"),
        (lambda: {"type": "Polygon", "coordinates": [[[float("nan"), 1]]]}, "JSON does not have"),
        (lambda: object(), "TypeError: object is no GeoJSON"),
        (lambda: b'{"type":"Poly', ""),
        (lambda: (_ for _ in ()).throw(SystemExit("no")), "SystemExit: no"),
    ],
    ids=["exception", "nan", "object", "broken", "exit"],
)
def test_failures_name_the_tile(map, fail, words):
    told = problems(map)
    map.add_custom_source("own", lambda z, x, y: fail(), min_zoom=2)
    map.add_layer(FILL)
    map.loop.run()
    assert told and words in str(told[0].error)
    assert told[0].source == "own" and tuple(told[0].tile) == (2, 1, 1)
    assert not map.draw().is_complete


def test_tiles_come_late_twice_and_unasked(map):
    source = map.add_custom_source("own")
    map.add_layer(FILL)
    map.loop.run(0.2)
    assert not map.is_loaded and colour(map) == (0, 0, 255)
    threading.Thread(target=source.set_tile, args=(2, 1, 1, WORLD)).start()
    until(map, lambda: map.is_loaded)
    assert colour(map) == (255, 0, 0)
    source.set_tile(2, 1, 1, None)
    until(map, lambda: colour(map) == (0, 0, 255))
    source.set_tile(2, 3, 3, WORLD)
    map.loop.run()
    map.set_camera((135, -75), zoom=2)
    map.loop.run()
    assert colour(map) == (255, 0, 0)


def test_a_future_gives_a_tile(map):
    future = Future()
    map.add_custom_source("own", lambda z, x, y: future, workers=0)
    map.add_layer(FILL)
    map.loop.run(0.2)
    assert not map.is_loaded
    future.set_result(WORLD)
    map.loop.run()
    assert colour(map) == (255, 0, 0)


def test_what_leaves_the_view_is_cancelled(map):
    futures = []

    def tile(z, x, y):
        futures.append(Future())
        return futures[-1]

    map.add_custom_source("own", tile, workers=0)
    map.add_layer(FILL)
    map.loop.run(0.2)
    map.set_camera((135, -41), zoom=2)
    until(map, lambda: len(futures) == 2)
    assert futures[0].cancelled() and not futures[1].cancelled()


def test_a_coroutine_gives_tiles_within_asyncio():
    async def tile(z, x, y):
        await asyncio.sleep(0.01)
        return WORLD

    async def main():
        with neatline.Map(64) as map:
            await map.load_style(STYLE)
            map.set_camera((-45, 41), zoom=2)
            map.add_custom_source("own", tile)
            map.add_layer(FILL)
            async for event in map.events("map_idle"):
                if map.is_loaded:
                    break
            return colour(map)

    assert asyncio.run(asyncio.wait_for(main(), 30)) == (255, 0, 0)


def test_a_coroutine_without_asyncio_is_a_problem(map):
    async def tile(z, x, y):
        return WORLD

    told = problems(map)
    map.add_custom_source("own", tile, min_zoom=2)
    map.add_layer(FILL)
    map.loop.run()
    assert "asyncio" in str(told[0].error)


def test_other_data_is_asked_for_anew(map):
    answers = [WORLD, None, WORLD]
    source = map.add_custom_source("own", lambda z, x, y: answers.pop(0), workers=0)
    map.add_layer(FILL)
    map.loop.run()
    source.invalidate(2, 1, 1)
    map.loop.run()
    assert colour(map) == (0, 0, 255)
    source.invalidate_region((-46, 40, -44, 41))
    map.loop.run()
    assert colour(map) == (255, 0, 0) and not answers
    with pytest.raises(InvalidArgumentError):
        source.invalidate_region((1, 0, 0, 1))
    with pytest.raises(InvalidArgumentError):
        source.invalidate(19, 0, 0)


def test_a_source_that_has_gone_takes_nothing(map):
    running, may_end = threading.Event(), threading.Event()

    def tile(z, x, y):
        running.set()
        may_end.wait(20)
        return WORLD

    source = map.add_custom_source("own", tile)
    map.add_layer(FILL)
    map.loop.run(0.1)
    assert running.wait(20)
    map.load_style(STYLE)
    may_end.set()
    with pytest.raises(NotFoundError):
        source.set_tile(2, 1, 1, WORLD)
    with pytest.raises(NotFoundError):
        source.invalidate(2, 1, 1)
    map.loop.run()
    assert colour(map) == (0, 0, 255)


def test_too_much_that_waits_is_refused_and_workers_wait(map):
    source = map.add_custom_source("own")
    for _ in range(4096):
        source.set_tile(3, 0, 0, None)
    with pytest.raises(LimitExceededError):
        source.set_tile(3, 0, 0, None)
    with pytest.raises(LimitExceededError):
        source.set_tile(3, 0, 0, b" " * ((64 << 20) + 1))
    map.loop.run()
    source.set_tile(3, 0, 0, None)


def test_sources_are_refused_and_their_functions_let_go_of(map):
    def tile(z, x, y):
        return None

    gone = weakref.ref(tile)
    map.add_custom_source("own", tile)
    for options, kind in [
        ({"id": "own"}, InvalidArgumentError), ({"id": ""}, InvalidArgumentError),
        ({"id": "x", "max_zoom": 25}, InvalidArgumentError),
        ({"id": "x", "min_zoom": 9, "max_zoom": 3}, InvalidArgumentError),
        ({"id": "x", "buffer": 600}, InvalidArgumentError), ({"id": "x", "workers": -1}, InvalidArgumentError),
        ({"id": "x", "tolerance": float("nan")}, InvalidArgumentError),
    ]:
        with pytest.raises(kind):
            map.add_custom_source(function=tile, **options)
    with pytest.raises(InvalidArgumentError):
        map.add_custom_source("x", 7)
    map.remove_source("own")
    del tile
    gc.collect()
    assert gone() is None
    with neatline.Map(64) as bare, pytest.raises(InvalidStateError):
        bare.add_custom_source("own")


def test_pictures_are_those_that_were_looked_at():
    """Tests/Traces/pictures/custom.png, which NEATLINE_WRITE_PICTURES=1 writes anew: look at it then."""

    def rings(z, x, y):
        def corner(across, down):
            lon = (x + across) / 2**z * 360 - 180
            lat = numpy.degrees(numpy.arctan(numpy.sinh(numpy.pi * (1 - 2 * (y + down) / 2**z))))
            return [lon, float(lat)]

        rings = []
        for low in (0.05, 0.15, 0.25, 0.35, 0.45):
            high = 1 - low
            places = [(low, low), (high, low), (high, high), (low, high), (low, low)]
            rings.append([corner(*place) for place in places])
        return {"type": "MultiLineString", "coordinates": rings}

    def star(view):
        angles = numpy.arange(14) / 14 * 2 * numpy.pi
        reach = numpy.where(numpy.arange(14) % 2, 6, 15)
        corners = [(10, 45)] + list(zip(10 + 1.5 * reach * numpy.cos(angles), 45 + reach * numpy.sin(angles)))
        indices = [(0, 1 + i, 1 + (i + 1) % 14) for i in range(14)]
        colors = [(1, 0.9, 0.2, 1)] + [(0.4, 0, 0, 0.5) if i % 2 else (0.9, 0.2, 0, 0.9) for i in range(14)]
        if not view.is_frame:
            view.pixels[:40, :, :3] //= 2
        view.draw_triangles(corners, indices, colors)

    with neatline.Map((320, 240)) as map:
        map.load_style(str(ROOT / "Examples/demo/style.json"))
        map.set_camera((12, 46), zoom=2.6, pitch=40, bearing=20)
        map.loop.run()
        map.add_custom_source("rings", rings)
        line = {"id": "rings", "type": "line", "source": "rings", "paint": {"line-color": "#7c3aed", "line-width": 2}}
        map.add_layer(line)
        map.add_custom_layer("star", star, {"below": "borders"})
        map.loop.run()
        picture = numpy.asarray(map.draw())
    path = ROOT / "Tests/Traces/pictures/custom.png"
    if os.environ.get("NEATLINE_WRITE_PICTURES"):
        PIL.fromarray(picture).save(path)
    assert numpy.array_equal(picture, numpy.asarray(PIL.open(path)))
