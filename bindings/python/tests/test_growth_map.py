"""Changing and asking a map with n things takes n log n at most."""

import json
from ctypes import byref, c_void_p

import pytest

import neatline
from growth import Cases
from neatline import CircleAnnotation, PointAnnotation, PolylineAnnotation
from neatline._library import check, lib

CASES = Cases()
PLAIN = {"version": 8, "sources": {}, "layers": [{"id": "b", "type": "background"}]}


def text_of(function, *arguments):
    """The bytes of what a function writes, without reading them."""
    out = c_void_p()
    check(function(*arguments, byref(out)))
    lib.neat_buffer_destroy(out)


def loaded(style=PLAIN):
    map = neatline.Map((64, 64), pacing="host", threads=1)
    map.load_style(style)
    map.loop.run()
    map.begin_frame(0)
    return map


def backgrounds(order, **members):
    return {"version": 8, "sources": {}, "layers": [{"id": f"l{i}", "type": "background", "minzoom": i % 20} for i in order], **members}


# ---------------------------------------------------------------- styles


@CASES.case(1000)
def load_layers(n):
    style = backgrounds(range(n))
    return lambda: loaded(style).close()


@CASES.case(1000)
def draw_layers(n):
    map = loaded(backgrounds(range(n)))
    return lambda: map.draw()


@CASES.case(1000)
def style_json(n):
    map = loaded(backgrounds(range(n)))
    return lambda: text_of(lib.neat_map_style_json, map._pointer)


@CASES.case(1000)
def info(n):
    map = loaded(backgrounds(range(n)))
    return lambda: text_of(lib.neat_map_info, map._pointer)


# ---------------------------------------------------------------- annotations


def circles(n):
    return [CircleAnnotation((i % 170, i % 80), id=f"a{i}") for i in range(n)]


def with_annotations(n):
    map = loaded()
    manager = map.make_annotations("circle")
    manager.set(circles(n))
    return map, manager


def change_of(map, manager, n, ids):
    return lambda: manager.remove(ids)


@CASES.case(1000)
def set_annotations(n):
    map, given = loaded(), circles(n)
    manager = map.make_annotations("circle")
    return lambda: manager.set(given)


@CASES.case(1000)
def update_annotations(n):
    map, manager = with_annotations(n)
    given = list(reversed(circles(n)))
    return lambda: manager.update(given)


@CASES.case(1000)
def remove_annotations(n):
    map, manager = with_annotations(n)
    ids = [f"a{i}" for i in reversed(range(n))]
    return lambda: manager.remove(ids)


@CASES.case(1000)
def read_annotations(n):
    map, manager = with_annotations(n)
    return lambda: text_of(lib.neat_map_annotations, map._pointer, manager.id.encode(), len(manager.id))


@CASES.case(300)
def annotations_drawn(n):
    map, manager = with_annotations(n)
    return lambda: map.draw()


@CASES.case(200)
def view_annotations(n):
    map = loaded()
    given = [neatline.ViewAnnotation(id=f"v{i}", geometry={"type": "Point", "coordinates": [i % 170, i % 80]}, width=10, height=10)
             for i in range(n)]
    return lambda: map.view_annotations.add(given)


@CASES.case(200)
def view_annotations_removed(n):
    map = loaded()
    map.view_annotations.add([neatline.ViewAnnotation(
        id=f"v{i}", geometry={"type": "Point", "coordinates": [i % 170, i % 80]}, width=10, height=10) for i in range(n)])
    return lambda: map.view_annotations.remove([f"v{i}" for i in range(n)])


# ---------------------------------------------------------------- images, states, questions


@CASES.case(500)
def images(n):
    map, image = loaded(), neatline.decode_image(PNG)

    def run():
        for i in range(n):
            map.add_image(f"i{i}", image)
        text_of(lib.neat_map_images, map._pointer)
        for i in range(n):
            map.remove_image(f"i{i}")

    return run


def png():
    import struct
    import zlib

    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 2, 2, 8, 6, 0, 0, 0)) + chunk(
        b"IDAT", zlib.compress((b"\0" + b"\xff" * 8) * 2)) + chunk(b"IEND", b"")


PNG = png()


def points(n):
    return {"version": 8, "sources": {"s": {"type": "geojson", "data": {"type": "FeatureCollection", "features": [
        {"type": "Feature", "id": i, "properties": {"a": i}, "geometry": {"type": "Point", "coordinates": [i % 170 / 10, i % 80 / 10]}}
        for i in range(n)]}}},
        "layers": [{"id": "l", "type": "circle", "source": "s", "paint": {"circle-radius": 1}}]}


@CASES.case(1000)
def feature_states(n):
    map = loaded(points(10))

    def run():
        for i in range(n):
            map.set_feature_state({"source": "s", "id": i}, {"on": True})
        for i in range(n):
            map.remove_feature_state({"source": "s", "id": i})

    return run


@CASES.case(1000)
def queried(n):
    map = loaded(points(n))
    map.loop.run()
    return lambda: text_of(lib.neat_map_query, map._pointer, 0.0, 0.0, 64.0, 64.0, b"", 0)


@CASES.case(1000)
def queried_source(n):
    map = loaded(points(n))
    map.loop.run()
    return lambda: map.query_source("s")


def imports(n):
    return {"version": 8, "sources": {}, "layers": [], "imports": [{"id": f"i{i}", "url": "", "data": backgrounds(range(20))} for i in range(n)]}


@CASES.case(12)
def imported(n):
    style = imports(n)
    return lambda: loaded(style).close()


@pytest.mark.parametrize("name", CASES)
def test_time_grows_by_n_log_n_at_most(name):
    CASES.check(name)
