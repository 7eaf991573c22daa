"""How many bytes a function gives for a byte of its input: the table of docs/concepts/limits.md, row by row."""

import json
import pathlib
from ctypes import byref, c_void_p

import pytest

import neatline
from neatline._library import lib, take_buffer

ROOT = pathlib.Path(__file__).resolve().parents[3]
MIB = 1 << 20
VECTOR = {"type": "vector", "tiles": ["http://127.0.0.1/{z}/{x}/{y}"]}


def style(layers=(), sources=None, **members):
    return {"version": 8, "sources": sources or {}, "layers": list(layers), **members}


def text_of(value):
    return value if isinstance(value, bytes) else json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()


def factor(given, made):
    return len(made) / len(given)


def painted(value, name="line-width", **more):
    return style([{"id": "l", "type": "line", "source": "s", "source-layer": "x", "paint": {name: value}, **more}], {"s": VECTOR})


# ---------------------------------------------------------------- validation: 1,000 messages of 4 KiB each

FAULTY = {
    "a long name above many faults": style((), {"s" * 100_000: {"type": "vector", "tiles": [1] * 5000}}),
    "long values": style([{"id": "l" * 10_000, "type": "x" * 50_000} for _ in range(50)]),
    "equal long ids": style([{"id": "l" * 10_000, "type": "background"} for _ in range(100)]),
    "long colours": style([{"id": f"l{i}", "type": "background", "paint": {"background-color": "x" * 50_000}} for i in range(50)]),
    "long unknown names": style([{"id": "l", "type": "background", "paint": {"p" * 20_000 + str(i): 1 for i in range(100)}}]),
    "escapes": style([{"id": f"l{i}", "type": "\x01" * 20_000} for i in range(50)]),
    "nested filters": painted(1, filter=["all", *[["all", ["!in", "k" * 10_000, 1]] for _ in range(100)], ["has", "x"], ["==", ["get", "a"], 1]]),
    "an expression": painted(["x" * 100_000, 1]),
}


@pytest.mark.parametrize("name", FAULTY)
def test_messages_of_validation_are_bounded(name):
    text = text_of(FAULTY[name])
    found = json.loads(take_buffer(lib.neat_style_validate, text, len(text)))
    assert 0 < len(found) <= 1000
    assert max(len(each["message"].encode()) for each in found) <= 4096 + 3
    assert max(len(each["key"].encode()) for each in found) <= 4096 + 3


def test_a_message_says_what_is_at_fault_up_to_its_limit():
    text = text_of(style([{"id": "l", "type": "background", "paint": {"background-color": "ü" * 5000}}]))
    found, = json.loads(take_buffer(lib.neat_style_validate, text, len(text)))
    assert found["message"].startswith('layers[0].paint.background-color: color expected, "ü') and found["message"].endswith("ü…")
    short = text_of(style([{"id": "l", "type": "background", "paint": {"background-color": "ü" * 1000}}]))
    found, = json.loads(take_buffer(lib.neat_style_validate, short, len(short)))
    assert found["message"].count("ü") == 1000 and found["message"].endswith('" found')


# ---------------------------------------------------------------- styles

LONG = "k" * 5000
WIDE = {
    "a function": painted({"property": LONG, "stops": [[i, i] for i in range(1000)]}),
    "functions of zoom": painted({"stops": [[i, i] for i in range(1000)]}),
    "functions of zoom and property": painted({"property": "k", "stops": [[{"zoom": i, "value": 0}, 1] for i in range(1000)]}),
    "categories": painted({"property": LONG, "type": "categorical", "stops": [[f"v{i}", i] for i in range(1000)]}),
    "a filter": painted(1, filter=["all", *[["==", LONG, i] for i in range(20)]]),
    "short filters": painted(1, filter=["all", *[["<", "k", 1] for i in range(3000)]]),
    "negated filters": painted(1, filter=["none", *[["!in", "k", 1, 2] for i in range(3000)]]),
    "filters of a type": painted(1, filter=["all", *[["==", "$type", "Point"] for i in range(3000)]]),
    "filters within filters": painted(1, filter=["any", *[["none", ["!has", "k"]] for i in range(3000)]]),
    "tokens": style([{"id": "l", "type": "symbol", "source": "s", "source-layer": "x", "layout": {"text-field": "{a}" * 1000}}], {"s": VECTOR}),
    "numbers": style(metadata=b"[" + b",".join([b"1e20"] * 1000) + b"]"),
}


def wide(name):
    value = WIDE[name]
    if isinstance(value.get("metadata"), bytes):
        return b'{"version":8,"sources":{},"layers":[],"metadata":' + value["metadata"] + b"}"
    return text_of(value)


@pytest.mark.parametrize("name", WIDE)
def test_migration_gives_40_bytes_a_byte_at_most(name):
    text = wide(name)
    assert factor(text, take_buffer(lib.neat_style_migrate, text, len(text))) < 40


@pytest.mark.parametrize("name", WIDE)
def test_labels_in_a_language_give_40_bytes_a_byte_at_most(name):
    text = wide(name)
    assert factor(text, take_buffer(lib.neat_style_localize_labels, text, len(text), b"de", 2, b"", 0)) < 40


@pytest.mark.parametrize("length, fits", [(1000, True), (100_000, False)])
def test_a_function_or_filter_repeats_4_mib_at_most(length, fits):
    """Past it a style keeps what cannot be converted, and the converters fail."""
    function = {"property": "k" * length, "stops": [[{"zoom": i, "value": 0}, 1] for i in range(1000)]}
    for value in [painted(function), painted(1, filter=["in", "k" * length, *[i + 0.5 for i in range(1000)]])]:
        text = text_of(value)
        assert len(take_buffer(lib.neat_style_migrate, text, len(text))) < (6 * MIB if fits else 2 * len(text))
    text, out = text_of(function), c_void_p()
    assert (lib.neat_expression_from_legacy(text, len(text), b'"line-width"', 12, byref(out)) == 0) == fits
    lib.neat_buffer_destroy(out)


def test_a_diff_names_a_layer_once_a_property():
    properties = ["line-blur", "line-color", "line-dasharray", "line-gap-width", "line-offset", "line-opacity", "line-translate",
                  "line-translate-anchor", "line-width"]
    layer = {"id": "l" * 100_000, "type": "line", "source": "s", "source-layer": "x"}
    a = text_of(style([layer], {"s": VECTOR}))
    values = {"line-color": "red", "line-dasharray": [1, 2], "line-translate": [1, 1], "line-translate-anchor": "viewport"}
    b = text_of(style([{**layer, "paint": {name: values.get(name, 0.5) for name in properties}}], {"s": VECTOR}))
    made = take_buffer(lib.neat_style_diff, a, len(a), b, len(b))
    assert len(made) / (len(a) + len(b)) < 150


def test_a_style_is_written_back_with_6_bytes_a_byte_at_most():
    with neatline.Map((8, 8)) as map:
        for name in WIDE:
            text = wide(name)
            map.load_style(text.decode())
            map.loop.run()
            assert factor(text, take_buffer(lib.neat_map_style_json, map._pointer)) < 6, name


def test_imports_are_bounded():
    inner = style([{"id": f"l{i}", "type": "background"} for i in range(100)])
    with neatline.Map((8, 8)) as map:
        map.load_style(style(imports=[{"id": "a" * 257, "url": "", "data": inner}, {"id": "b" * 256, "url": "", "data": inner}]))
        map.loop.run()
        assert len(map.style["layers"]) == 100 and map.style["layers"][0]["id"].startswith("b")


# ---------------------------------------------------------------- expressions

PROGRAMS = {
    "sum": ["+", *[["get", "a"]] * 2000],
    "names": ["+", *[["get", f"a{i}"] for i in range(2000)]],
    "long name": ["get", "a" * 100_000],
    "match": ["match", ["get", "a"], *[x for i in range(2000) for x in (i, i)], 0],
    "case": ["case", *[x for i in range(2000) for x in (["has", "a"], 1)], 0],
    "literal": ["at", ["get", "i"], ["literal", list(range(3000))]],
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_is_shown_with_100_bytes_a_byte_at_most(name):
    expression = neatline.Expression(PROGRAMS[name])
    assert factor(text_of(PROGRAMS[name]), take_buffer(lib.neat_expression_disassemble, expression._pointer)) < 100


@pytest.mark.parametrize("name", ["a function", "categories", "functions of zoom and property"])
def test_a_legacy_function_gives_40_bytes_a_byte_at_most(name):
    text = text_of(WIDE[name]["layers"][0]["paint"]["line-width"])
    assert factor(text, take_buffer(lib.neat_expression_from_legacy, text, len(text), b'"line-width"', 12)) < 40


@pytest.mark.parametrize("name", ["a filter", "short filters", "negated filters", "filters of a type", "filters within filters"])
def test_a_legacy_filter_gives_40_bytes_a_byte_at_most(name):
    text = text_of(WIDE[name]["layers"][0]["filter"])
    assert factor(text, take_buffer(lib.neat_filter_from_legacy, text, len(text))) < 40


def test_a_format_string_gives_16_mib_at_most():
    def between(levels):
        return "a" if levels == 0 else f"({between(levels - 1)} BETWEEN {{1, 2}})"

    for levels in range(1, 60):
        text = f"{between(levels)}".encode()
        out = c_void_p()
        status = lib.neat_expression_from_format(text, len(text), b"", 0, 1, byref(out))
        if status == 0:
            assert lib.neat_buffer_size(out) <= 16 * MIB
            lib.neat_buffer_destroy(out)


# ---------------------------------------------------------------- tiles and data


def tile_of(features, length):
    def varint(number):
        return bytes([number & 127 | 128]) + varint(number >> 7) if number > 127 else bytes([number])

    def field(number, data):
        return bytes([number << 3 | 2]) + varint(len(data)) + data

    point = field(2, field(2, b"\x00\x00") + b"\x18\x01" + field(4, b"\x09\x02\x02"))
    return field(3, field(1, b"l") + point * features + field(3, b"k") + field(4, field(1, b"a" * length)) + b"\x78\x02")


@pytest.mark.parametrize("features, length", [(10_000, 10), (100, 100_000), (1, 1)])
def test_a_tile_is_written_back_with_twice_its_bytes_at_most(features, length):
    data = tile_of(features, length)
    assert factor(data, neatline.decode_tile(data).to_mvt()) <= 2


def test_results_of_queries_and_lists_of_clusters_are_bounded():
    long = "a" * 3_000
    data = {"type": "FeatureCollection", "features": [
        {"type": "Feature", "properties": {"k": long}, "geometry": {"type": "Point", "coordinates": [0, 0]}} for _ in range(100)]}
    index = neatline.GeoJSON(data, cluster=True)
    cluster, = index.clusters(-180, -85, 180, 85, 0)
    text = take_buffer(lib.neat_geojson_cluster_leaves, index._pointer, cluster["id"], 1 << 20, 0)
    assert factor(text_of(data), text) < 3


def test_a_query_past_the_limit_is_refused(tmp_path):
    import sqlite3

    path = tmp_path / "a.mbtiles"
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE metadata (name TEXT, value TEXT)")
        database.execute("CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB)")
        database.execute("INSERT INTO metadata VALUES ('format', 'pbf')")
        database.execute("INSERT INTO tiles VALUES (0, 0, 0, ?)", (tile_of(20_000, 25_000),))
    wanted = style([{"id": "c", "type": "circle", "source": "s", "source-layer": "l"}], {"s": {"type": "vector", "url": f"mbtiles://{path}"}})
    renderer = neatline.Renderer(wanted)
    with pytest.raises(neatline.LimitExceededError, match="268435456 bytes"):
        renderer.query((0, 0, 512, 512), center=(0, 0), zoom=0, size=512)


# ---------------------------------------------------------------- texts, shapes


def test_a_shaped_text_gives_400_bytes_a_byte_at_most():
    fonts = neatline.Fonts(sorted(pathlib.Path("/usr/share/fonts").rglob("*.ttf"))[:1])
    for text in ["a" * 5000, "a " * 2500, "a\n" * 2500]:
        request = text_of({"sections": [{"text": text, "fontStack": "x"}], "maxWidth": 240})
        assert factor(request, take_buffer(lib.neat_fonts_shape, fonts._pointer, request, len(request))) < 400


def test_a_glyph_range_has_2_mib_at_most():
    fonts = neatline.Fonts(sorted(pathlib.Path("/usr/share/fonts").rglob("*.ttf"))[:1])
    assert len(fonts.range(0, "x")) <= 2 * MIB


def test_shapes_have_limits_of_their_own():
    with pytest.raises(neatline.LimitExceededError):
        neatline.shapes.smooth([(0, 0), (1, 0), (1, 1), (0, 0)], 40)
    with pytest.raises((neatline.InvalidArgumentError, ValueError)):
        neatline.shapes.circle((0, 0), 10, (1 << 24) + 1)
    with pytest.raises(neatline.LimitExceededError):
        neatline.shapes.intersections([(i, i % 2) for i in range(100)], [(i, 0.5) for i in range(100)], limit=10)
