"""Geometry on the globe, triangles, lines, collisions, texts, expressions and their readers take n log n at most."""

import json
import math
import pathlib
import random
from array import array
from ctypes import byref, c_uint32, c_void_p, sizeof

import pytest

import neatline
from growth import Cases
from neatline import shapes
from neatline._library import check, lib

CASES = Cases()
ROOT = pathlib.Path(__file__).resolve().parents[3]


def text_of(function, *arguments):
    """The bytes of what a function writes, without reading them."""
    out = c_void_p()
    check(function(*arguments, byref(out)))
    lib.neat_buffer_destroy(out)


def doubles(places):
    return array("d", [number for place in places for number in place])


def pointer(values):
    return (values.buffer_info()[0])


# ---------------------------------------------------------------- rings and lines of n places, from easy to hard

LINES = {
    "straight": lambda n: [(160 * i / n - 80, 80 * i / n - 40) for i in range(n)],
    "parabola": lambda n: [(160 * i / n - 80, 80 * (i / n) ** 2 - 40) for i in range(n)],
    "zigzag": lambda n: [(160 * i / n - 80, 40 * (i % 2)) for i in range(n)],
    "walk": lambda n: walk(n),
    "spiral": lambda n: [(60 * i / n * math.cos(i / 9), 60 * i / n * math.sin(i / 9)) for i in range(n)],
    "same": lambda n: [(1.0, 1.0)] * n,
    "saw": lambda n: [(80 * i / n, 40 * (1 - i / n) * (i % 2)) for i in range(n)],
    "powers": lambda n: [(80 * (i / n) ** 3, 40 * (i / n) ** 9 * (i % 2)) for i in range(n)],
}


def walk(n):
    rng, place, result = random.Random(1), [0.0, 0.0], []
    for _ in range(n):
        place = [max(-80, min(80, each + rng.uniform(-0.1, 0.1))) for each in place]
        result.append(tuple(place))
    return result


def comb(n):
    """Teeth, whose gaps all see the back of the comb."""
    return [(i / n * 80, 40.0 * (i % 2)) for i in range(n)] + [(80.0, -1.0), (0.0, -1.0)]


def spiral_ring(n):
    outer = [(60 * (1 + i / n) * math.cos(i * 40 / n), 60 * (1 + i / n) * math.sin(i * 40 / n)) for i in range(n // 2)]
    inner = [(0.97 * x, 0.97 * y) for x, y in reversed(outer)]
    return outer + inner


def star(n):
    return [((20 + 20 * (i % 2)) * math.cos(2 * math.pi * i / n), (20 + 20 * (i % 2)) * math.sin(2 * math.pi * i / n)) for i in range(n)]


def stairs(n):
    return [(40 * (i // 2) / n, 40 * ((i + 1) // 2) / n) for i in range(n)] + [(40.0, 0.0)]


def random_ring(n):
    rng = random.Random(2)
    return [(rng.uniform(-80, 80), rng.uniform(-80, 80)) for _ in range(n)]


RINGS = {"comb": comb, "spiral": spiral_ring, "star": star, "stairs": stairs, "circle": lambda n: [
    (40 * math.cos(2 * math.pi * i / n), 40 * math.sin(2 * math.pi * i / n)) for i in range(n)]}


def with_places(function, make, *more):
    """A call of a function that takes a list of places and writes a buffer."""
    def case(n):
        places = doubles(make(n))
        return lambda: text_of(function, pointer(places), len(places) // 2, *more)

    return case


def holes(n):
    """A square with n square holes: the points and the starts of the rings."""
    points, starts = [(0.0, 0.0), (4096.0, 0.0), (4096.0, 4096.0), (0.0, 4096.0)], [0, 4]
    side = math.ceil(math.sqrt(n))
    step = 4000 / side
    for i in range(n):
        x, y = 10 + i % side * step, 10 + i // side * step
        points += [(x, y), (x, y + step / 2), (x + step / 2, y + step / 2), (x + step / 2, y)]
        starts.append(len(points))
    return points, starts


def triangulate(points, starts=None):
    values, starts = doubles(points), array("I", starts or [0, len(points)])
    return lambda: text_of(lib.neat_mesh_triangulate, pointer(values), len(points), pointer(starts), len(starts) - 1)


for name, make in LINES.items():
    for quality in (0, 1):
        CASES[f"simplify_{name}_{quality}"] = (with_places(lib.neat_shape_simplify, make, 0.01, quality, 0), 8000)
    CASES[f"simplify_ring_{name}"] = (with_places(lib.neat_shape_simplify, make, 0.0, 1, 1), 8000)
    CASES[f"mesh_line_{name}"] = (lambda n, make=make: line_mesh(make(n)), 8000)
    CASES[f"crossings_{name}"] = (lambda n, make=make: crossings(make(n)), 2000)
    CASES[f"bezier_{name}"] = (lambda n, make=make: (lambda line: lambda: shapes.bezier(line, 10 * n))(make(n)), 2000)
    CASES[f"slice_{name}"] = (lambda n, make=make: (lambda v: lambda: text_of(
        lib.neat_shape_slice, pointer(v), len(v) // 2, None, None))(doubles(make(n))), 20000)
for name, make in RINGS.items():
    CASES[f"triangulate_{name}"] = (lambda n, make=make: triangulate([(20 * x + 2048, 20 * y + 2048) for x, y in make(n)]), 4000)
    # A place costs the edges at its latitude, which for these rings are all of them.
    if name not in ("comb", "star"):
        CASES[f"contains_{name}"] = (lambda n, make=make: contains(make(n), n), 4000)
    CASES[f"area_{name}"] = (lambda n, make=make: (lambda v: lambda: check(lib.neat_shape_ring_area(
        pointer(v), len(v) // 2, byref(neatline._abi.c_double()))))(doubles(make(n))), 40000)
    CASES[f"smooth_{name}"] = (with_places(lib.neat_shape_smooth, make, 3), 8000)


def line_mesh(places):
    values = array("f", [number for place in places for number in place])

    def run():
        vertices, indices = c_void_p(), c_void_p()
        check(lib.neat_mesh_line(pointer(values), len(places), None, byref(vertices), byref(indices)))
        lib.neat_buffer_destroy(vertices)
        lib.neat_buffer_destroy(indices)

    return run


def crossings(places):
    a, b = doubles(places), doubles([(x + 0.003, y + 0.002) for x, y in places[:64]])
    return lambda: text_of(lib.neat_shape_intersections, pointer(a), len(a) // 2, pointer(b), len(b) // 2, 0)


def contains(ring, n):
    places, asked = doubles(ring), doubles(random_ring(n))
    inside = bytearray(n)
    out = (neatline._abi.c_uint8 * n).from_buffer(inside)
    return lambda: check(lib.neat_shape_contains(
        pointer(places), len(places) // 2, None, 0, None, 0, pointer(asked), n, 0, out))


@CASES.case(1000)
def triangulate_holes(n):
    return triangulate(*holes(n))


@CASES.case(2000)
def crossings_of_steps(n):
    """Two stairs whose boxes meet in few places."""
    a = doubles([(i / n * 80, i / n * 40) for i in range(n)])
    b = doubles([(i / n * 80, 40 - i / n * 40) for i in range(n)])
    return lambda: text_of(lib.neat_shape_intersections, pointer(a), n, pointer(b), n, 0)


@CASES.case(20000)
def along(n):
    line, asked = doubles(LINES["walk"](n)), array("d", [i * 10.0 for i in reversed(range(n))])
    out = (neatline._abi.ShapePlace * n)()
    return lambda: check(lib.neat_shape_along(pointer(line), n, pointer(asked), n, out))


@CASES.case(20000)
def fit_points(n):
    places, camera, size = doubles(random_ring(n)), neatline._abi.Camera(struct_size=sizeof(neatline._abi.Camera)), neatline._abi.Size(
        struct_size=sizeof(neatline._abi.Size), width_px=512, height_px=512, pixel_ratio=1)
    return lambda: check(lib.neat_camera_fit_points(byref(camera), byref(size), None, pointer(places), n))


def placed(make):
    def case(n):
        boxes = make(n)

        def run():
            index, is_placed = c_void_p(), c_uint32()
            check(lib.neat_collision_create(2000.0, 2000.0, byref(index)))
            for box in boxes:
                check(lib.neat_collision_place_box(index, *box, byref(is_placed)))
            lib.neat_collision_destroy(index)

        return run

    return case


CASES["boxes_apart"] = (placed(lambda n: [(x, y, x + 4, y + 4) for i in range(n) for x, y in [(i % 180 * 11, i // 180 % 180 * 11)]]), 4000)
CASES["boxes_on_each_other"] = (placed(lambda n: [(100.0, 100.0, 200.0, 200.0)] * n), 4000)
CASES["boxes_large"] = (placed(lambda n: [(0.0, 0.0, 2000.0, 2000.0)] * n), 1000)

# ---------------------------------------------------------------- texts


def shaped(n, text, **more):
    glyphs = neatline.Fonts(system_fonts())
    request = json.dumps({"sections": [{"text": text(n), "fontStack": "Noto Sans Regular"}], "maxWidth": 240, **more}).encode()
    return lambda: text_of(lib.neat_fonts_shape, glyphs._pointer, request, len(request))


def system_fonts():
    return sorted(pathlib.Path("/usr/share/fonts").rglob("*.ttf"))[:1]


TEXTS = {
    "words": lambda n: "word " * (n // 5),
    "one_word": lambda n: "w" * n,
    "lines": lambda n: "a\n" * (n // 2),
    "spaces": lambda n: " " * n,
    "ideographs": lambda n: "漢" * n,
    "arabic": lambda n: "مرحبا " * (n // 6),
    "mixed": lambda n: "abc مرحبا 12 " * (n // 13),
    "brackets": lambda n: "(" * (n // 2) + ")" * (n // 2),
    "embeddings": lambda n: "\u202b" * (n // 2) + "\u202c" * (n // 2),
    "marks": lambda n: "a" + "\u0301" * n,
    "hebrew_and_brackets": lambda n: "(א" * (n // 2),
}
for name, text in TEXTS.items():
    CASES[f"shape_{name}"] = (lambda n, text=text: shaped(n, text), 1500)


@CASES.case(1500)
def shape_sections(n):
    glyphs = neatline.Fonts(system_fonts())
    request = json.dumps({"sections": [{"text": "a ", "fontStack": "Noto Sans Regular"}] * n, "maxWidth": 240}).encode()
    return lambda: text_of(lib.neat_fonts_shape, glyphs._pointer, request, len(request))


# ---------------------------------------------------------------- format strings and expressions


def format_of(text, kind=1, arguments=b""):
    text = text.encode()
    return lambda: text_of(lib.neat_expression_from_format, text, len(text), arguments, len(arguments), kind)


CASES["format_or"] = (lambda n: format_of(" OR ".join(f"k{i} == {i}" for i in range(n))), 1200)
CASES["format_and_or"] = (lambda n: format_of(" OR ".join(f"(k{i} == {i} AND x > 1)" for i in range(n))), 600)
CASES["format_list"] = (lambda n: format_of("k IN {%s}" % ", ".join(f"'v{i}'" for i in range(n))), 1200)
CASES["format_sum"] = (lambda n: format_of(" + ".join(f"k{i}" for i in range(n)), 0), 1200)
CASES["format_between"] = (lambda n: format_of(" OR ".join(f"k{i} BETWEEN {{1, 2}}" for i in range(n))), 600)
CASES["format_arguments"] = (lambda n: format_of(
    " OR ".join(["k == %@"] * n), 1, json.dumps([f"v{i}" for i in range(n)]).encode()), 1200)
CASES["format_text"] = (lambda n: format_of("k == '%s'" % ("é\\n" * (n // 4))), 100000)


def evaluated(n, make, feature=None, **more):
    expression = neatline.Expression(make(n))
    given = feature(n) if feature else {}
    return lambda: expression.evaluate(given, **more)


def properties(n):
    return {"type": "Feature", "geometry": None, "properties": {"list": [f"v{i}" for i in range(n)], "text": "ab, " * (n // 4), "n": n}}


EXPRESSIONS = {
    "in_list": lambda n: ["in", "none", ["literal", [f"v{i}" for i in range(n)]]],
    "in_property": lambda n: ["in", "none", ["get", "list"]],
    "index_of": lambda n: ["index-of", "none", ["get", "list"]],
    "index_of_text": lambda n: ["index-of", "aaaaaaaab", ["get", "text"]],
    "slice": lambda n: ["length", ["slice", ["get", "list"], 1, n // 2]],
    "slice_text": lambda n: ["length", ["slice", ["get", "text"], 1, n // 2]],
    "split": lambda n: ["length", ["split", ["get", "text"], ","]],
    "join": lambda n: ["length", ["join", ["get", "list"], ","]],
    "upcase": lambda n: ["length", ["upcase", ["get", "text"]]],
    "to_string": lambda n: ["length", ["to-string", ["get", "list"]]],
    "concat": lambda n: ["length", ["concat", *[["get", "n"]] * n]],
    "sum": lambda n: ["+", *[["get", "n"]] * n],
    "case": lambda n: ["case", *[x for i in range(n) for x in (["==", ["get", "n"], -i], i)], 0],
    "match": lambda n: ["match", ["get", "n"], *[x for i in range(n) for x in (-i - 1, i)], 0],
    "step": lambda n: ["step", ["get", "n"], 0, *[x for i in range(n) for x in (i, i)]],
    "equal_lists": lambda n: ["==", ["to-string", ["get", "list"]], ["to-string", ["get", "list"]]],
    "coalesce": lambda n: ["coalesce", *[["get", f"none{i}"] for i in range(n)]],
    "any": lambda n: ["any", *[["==", ["get", "n"], -i] for i in range(n)]],
    "object": lambda n: ["get", "none", ["literal", {f"k{i}": i for i in range(n)}]],
}
for name, make in EXPRESSIONS.items():
    CASES[f"compile_{name}"] = (lambda n, make=make: (lambda text: lambda: neatline.Expression(text))(json.loads(json.dumps(make(n)))), 1500)
    CASES[f"evaluate_{name}"] = (lambda n, make=make: evaluated(n, make, properties), 1800)
    CASES[f"disassemble_{name}"] = (lambda n, make=make: (lambda e: lambda: text_of(
        lib.neat_expression_disassemble, e._pointer))(neatline.Expression(make(n))), 1800)


# ---------------------------------------------------------------- tracks and models


def track(text):
    data = text.encode()
    return lambda: neatline.Track(data)


CASES["track_gpx"] = (lambda n: track('<gpx><trk><trkseg>%s</trkseg></trk></gpx>' % "".join(
    f'<trkpt lat="{i % 80}" lon="{i % 170}"><time>2026-01-01T{i // 3600 % 24:02}:{i // 60 % 60:02}:{i % 60:02}Z</time></trkpt>' for i in range(n))), 4000)
CASES["track_nmea"] = (lambda n: track("".join(
    f"$GPRMC,{i // 3600 % 24:02}{i // 60 % 60:02}{i % 60:02},A,4807.{i % 1000:03},N,01131.{i % 1000:03},E,022.4,084.4,230394,,\r\n" for i in range(n))), 4000)


@pytest.mark.parametrize("name", CASES)
def test_time_grows_by_n_log_n_at_most(name):
    CASES.check(name)
