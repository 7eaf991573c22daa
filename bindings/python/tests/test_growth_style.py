"""Reading, validating, comparing and editing styles takes n log n at most."""

import json
import random
from ctypes import byref, c_void_p

import pytest

from growth import Cases
from neatline._library import check, lib

CASES = Cases()


def text_of(function, *arguments):
    """The bytes of what a function writes, without reading them."""
    out = c_void_p()
    check(function(*arguments, byref(out)))
    lib.neat_buffer_destroy(out)


def over(function, document, *more):
    """A call of a function that takes JSON and writes JSON."""
    text = document if isinstance(document, bytes) else json.dumps(document).encode()
    return lambda: text_of(function, text, len(text), *more)


def style(layers=(), sources=None, **members):
    return {"version": 8, "sources": sources or {}, "layers": list(layers), **members}


VECTOR = {"type": "vector", "tiles": ["http://127.0.0.1/{z}/{x}/{y}"]}


def source_layers(n, each=1):
    """A layer and a source of its own each."""
    return style(
        [{"id": f"l{i}", "type": "line", "source": f"s{i // each}", "source-layer": "x", "paint": {"line-width": i % 9}}
         for i in range(n)],
        {f"s{i}": VECTOR for i in range(n // each)})


def backgrounds(order, **members):
    return style([{"id": f"l{i}", "type": "background", "minzoom": i % 20} for i in order], **members)


def filtered(filter):
    return style([{"id": "l", "type": "line", "source": "s", "source-layer": "x", "filter": filter}], {"s": VECTOR})


def painted(value, name="line-width"):
    return style([{"id": "l", "type": "line", "source": "s", "source-layer": "x", "paint": {name: value}}], {"s": VECTOR})


def validate(document):
    return over(lib.neat_style_validate, document)


def migrate(document):
    return over(lib.neat_style_migrate, document)


def diff(a, b):
    a, b = json.dumps(a).encode(), json.dumps(b).encode()
    return lambda: text_of(lib.neat_style_diff, a, len(a), b, len(b))


def localize(document):
    return over(lib.neat_style_localize_labels, document, b"de", 2, b"", 0)


# Documents of n things, for each function that reads a style.
DOCUMENTS = {
    "layers_and_sources": (2000, source_layers),
    "layers_of_one_source": (2000, lambda n: source_layers(n, n)),
    "equal_layers": (2000, lambda n: backgrounds([1] * n)),
    "layers_by_reference": (2000, lambda n: style(
        [{"id": "p", "type": "line", "source": "s", "source-layer": "x"}] + [{"id": f"l{i}", "ref": "p"} for i in range(n)],
        {"s": VECTOR})),
    "layers_by_references": (1000, lambda n: style(
        [{"id": f"p{i}", "type": "line", "source": "s", "source-layer": "x"} for i in range(n)]
        + [{"id": f"l{i}", "ref": f"p{n - 1 - i}"} for i in range(n)], {"s": VECTOR})),
    "layers_by_missing_references": (2000, lambda n: style([{"id": f"l{i}", "ref": f"p{i}"} for i in range(n)])),
    "layers_of_missing_sources": (2000, lambda n: style(
        [{"id": f"l{i}", "type": "line", "source": f"s{i}", "source-layer": "x"} for i in range(n)])),
    "geojson_sources": (1000, lambda n: style((), {f"s{i}": {"type": "geojson", "data": {
        "type": "Point", "coordinates": [i % 90, 1]}} for i in range(n)})),
    "properties_of_metadata": (10000, lambda n: style(metadata={f"m{i}": i for i in range(n)})),
    "unknown_members": (5000, lambda n: style(**{f"m{i}": i for i in range(n)})),
    "unknown_paint": (5000, lambda n: style([{"id": "l", "type": "background", "paint": {f"m{i}": i for i in range(n)}}])),
    "sprites": (5000, lambda n: style(sprite=[{"id": f"p{i}", "url": f"http://127.0.0.1/{i}"} for i in range(n)])),
    "font_faces": (3000, lambda n: style(**{"font-faces": {f"f{i}": f"http://127.0.0.1/{i}" for i in range(n)}})),
    "state": (5000, lambda n: style(state={f"k{i}": {"default": i} for i in range(n)})),
    "tiles_of_a_source": (10000, lambda n: style((), {"s": {"type": "vector", "tiles": [f"http://a/{i}" for i in range(n)]}})),
    "cluster_properties": (1000, lambda n: style((), {"s": {
        "type": "geojson", "data": "x.geojson", "cluster": True,
        "clusterProperties": {f"c{i}": ["+", ["get", f"c{i}"]] for i in range(n)}}})),
    "legacy_in": (3500, lambda n: filtered(["in", "k", *[f"v{i}" for i in range(n)]])),
    "legacy_all": (3000, lambda n: filtered(["all", *[["==", f"k{i}", i] for i in range(n)]])),
    "legacy_none": (3000, lambda n: filtered(["none", *[["!in", f"k{i}", i, i + 1] for i in range(n)]])),
    "legacy_inside_expressions": (2000, lambda n: filtered(["all", ["has", "x"], ["==", ["get", "a"], 1],
                                                              *[["!has", f"k{i}"] for i in range(n)]])),
    "match_filter": (3500, lambda n: filtered(["match", ["get", "k"], [f"v{i}" for i in range(n)], True, False])),
    "match_arms": (1800, lambda n: painted(["match", ["get", "k"], *[x for i in range(n) for x in (f"v{i}", i)], 0])),
    "match_numbers": (1800, lambda n: painted(["match", ["get", "k"], *[x for i in range(n) for x in (i, i)], 0])),
    "case_arms": (1800, lambda n: painted(
        ["case", *[x for i in range(n) for x in (["==", ["get", "k"], i], i)], 0])),
    "step_stops": (1800, lambda n: painted(["step", ["get", "k"], 0, *[x for i in range(n) for x in (i, i)]])),
    "interpolate_stops": (1800, lambda n: painted(["interpolate", ["linear"], ["get", "k"], *[x for i in range(n) for x in (i, i)]])),
    "function_stops": (900, lambda n: painted({"stops": [[i, i % 7] for i in range(n)]})),
    "function_of_property": (900, lambda n: painted({"property": "k", "type": "exponential", "stops": [[i, i % 7] for i in range(n)]})),
    "function_categorical": (900, lambda n: painted({"property": "k", "type": "categorical", "stops": [[f"v{i}", i % 7] for i in range(n)]})),
    "function_of_zoom_and_property": (900, lambda n: painted({"property": "k", "stops": [[{"zoom": i // 100, "value": i % 100}, i % 7] for i in range(n)]})),
    "bindings": (1500, lambda n: painted(["let", *[x for i in range(n) for x in (f"v{i}", i)], ["+", *[["var", f"v{i}"] for i in range(n)]]])),
    "sums": (3500, lambda n: painted(["+", *[["get", f"k{i}"] for i in range(n)]])),
    "literals": (3500, lambda n: painted(["at", 1, ["literal", list(range(n))]])),
    "objects": (3500, lambda n: painted(["get", "a", ["literal", {f"k{i}": i for i in range(n)}]])),
    "joined": (3500, lambda n: style([{"id": "l", "type": "symbol", "source": "s", "source-layer": "x", "layout": {
        "text-field": ["concat", *[["get", f"k{i}"] for i in range(n)]]}}], {"s": VECTOR})),
    "formatted": (2000, lambda n: style([{"id": "l", "type": "symbol", "source": "s", "source-layer": "x", "layout": {
        "text-field": ["format", *[x for i in range(n) for x in (["get", f"k{i}"], {"font-scale": 1})]]}}], {"s": VECTOR})),
    "tokens": (3000, lambda n: style([{"id": "l", "type": "symbol", "source": "s", "source-layer": "x", "layout": {
        "text-field": "".join(f"{{k{i}}} " for i in range(n))}}], {"s": VECTOR})),
    "dash_array": (10000, lambda n: painted([1] * n, "line-dasharray")),
    "wrong_numbers": (10000, lambda n: painted(["x"] * n, "line-dasharray")),
    "colours": (3500, lambda n: painted(["match", ["get", "k"], *[x for i in range(n // 2) for x in (i, f"#{i:06x}")], "red"], "line-color")),
    "long_text": (200000, lambda n: style(name="é\\n" * n)),
    "long_id_and_many_faults": (1000, lambda n: style((), {"s" * n: {"type": "vector", "tiles": [1] * n}})),
    "lines": (20000, lambda n: json.dumps(backgrounds(range(n // 20)), indent=1).encode()),
}

for name, (count, make) in DOCUMENTS.items():
    CASES[f"validate_{name}"] = (lambda n, make=make: validate(make(n)), count)
    CASES[f"migrate_{name}"] = (lambda n, make=make: migrate(make(n)), count)
    CASES[f"read_{name}"] = (lambda n, make=make: (lambda a: over(lib.neat_style_diff, a, a, len(a)))(
        make(n) if isinstance(make(n), bytes) else json.dumps(make(n)).encode()), count)
for name in ("formatted", "tokens", "joined", "layers_and_sources"):
    CASES[f"localize_{name}"] = (lambda n, make=DOCUMENTS[name][1]: localize(make(n)), DOCUMENTS[name][0])


def shuffled(n):
    order = list(range(n))
    random.Random(1).shuffle(order)
    return order


@CASES.case(2000)
def diff_reversed(n):
    return diff(backgrounds(range(n)), backgrounds(reversed(range(n))))


@CASES.case(2000)
def diff_shuffled(n):
    return diff(backgrounds(range(n)), backgrounds(shuffled(n)))


@CASES.case(2000)
def diff_disjoint(n):
    return diff(backgrounds(range(n)), backgrounds(range(n, 2 * n)))


@CASES.case(2000)
def diff_every_second(n):
    return diff(backgrounds(range(n)), backgrounds(range(0, n, 2)))


@CASES.case(2000)
def diff_one_to_the_front(n):
    return diff(backgrounds(range(n)), backgrounds([n - 1, *range(n - 1)]))


@CASES.case(1000)
def diff_sources(n):
    a = source_layers(n)
    b = source_layers(n)
    for i in range(0, n, 2):
        b["sources"][f"s{i}"] = {"type": "vector", "url": f"http://127.0.0.1/{i}"}
    return diff(a, b)


@CASES.case(1000)
def diff_geojson(n):
    def one(shift):
        return style((), {f"s{i}": {"type": "geojson", "data": {"type": "Point", "coordinates": [i % 90 + shift, 1]}}
                          for i in range(n)})

    return diff(one(0), one(1))


@CASES.case(5000)
def diff_state(n):
    return diff(style(state={f"k{i}": {"default": i} for i in range(n)}),
                style(state={f"k{i}": {"default": i + 1} for i in range(n)}))


@CASES.case(5000)
def diff_metadata(n):
    return diff(style((), {"s": {"type": "geojson", "data": {f"k{i}": i for i in range(n)}}}),
                style((), {"s": {"type": "geojson", "data": {f"k{i}": i for i in reversed(range(n))}}}))


@pytest.mark.parametrize("name", CASES)
def test_time_grows_by_n_log_n_at_most(name):
    CASES.check(name)
