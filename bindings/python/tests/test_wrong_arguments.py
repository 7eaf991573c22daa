"""Wrong arguments of every public function, method and setter: each is refused with TypeError, ValueError, OSError
or an error of the package, never with an error from inside the binding (`ctypes.ArgumentError`, `AttributeError`,
`KeyError`, `OverflowError`, `UnicodeError` …)."""

import collections
import ctypes
import inspect
import json
import struct
import warnings

import pytest

import neatline
import neatline.pyramid
import neatline.tiler
from conftest import POINTS, SQUARE, style

HUGE = 2**70
BAD = {
    "None": None,
    "object": object(),
    "-1": -1,
    "2**70": HUGE,
    "10**400": 10**400,
    "nan": float("nan"),
    "infinity": float("inf"),
    "lone surrogate": "\ud800",
    "text": "nothing",
    "bytes": b"",
    "list": [],
    "list of objects": [object()],
    "pair of objects": (object(), object()),
    "pair of huge numbers": (10**400, 0),
    "list of lone surrogates": ["\ud800"],
    "dict": {},
    "dict with a lone surrogate": {"type": "Point", "coordinates": ["\ud800"]},
    "dict of objects": {"\ud800": object()},
}
ALLOWED = (TypeError, ValueError, OSError, neatline.NeatlineError)
# Subclasses of ALLOWED that come from inside the binding all the same.
INSIDE = (UnicodeError, json.JSONDecodeError)

#: These wait, end the process's network or log, or begin threads: they are not called with arguments of any kind.
SKIPPED = {
    "EventLoop.run", "EventLoop.attach", "Map.loop", "log_to_logging", "set_log_callback",
    "http.set_http_service", "http.set_http_interceptor", "offline.set_connected", "Resources.make_default",
}
#: Values of parameters with which a call gets as far as the one that is wrong.
GOOD = {
    "at": (0, 0), "axis": 0, "base": "", "bearing": 0, "bounds": (0, 0, 1, 1), "box": (0, 0), "center": (0, 0),
    "colors": [(1, 0, 0, 1)], "data": SQUARE, "degrees": 0, "delta": 1, "diff": {}, "distance": 1, "east": 1,
    "expression": ["get", "a"], "filter": ["==", "a", 1], "format": "auto", "function": {"stops": [[0, 1]]},
    "geometry": (0, 0), "height": 4, "id": "a", "ids": [], "index": 0, "json": ["get", "rank"], "key": "rank",
    "kind": "point", "language": "de", "layer": 0, "level": "info", "line": [(0, 0), (1, 1)], "max": 1, "min": 0,
    "name": "a", "north": 1, "place": (0, 0), "places": [(0, 0)], "point": (1, 1), "points": [(1, 1)], "ratio": 1,
    "shape": SQUARE, "size": 8, "south": 0, "stack": "a", "style": style(), "t": 0.5, "target": "/nowhere/a.pmtiles",
    "path": "/nowhere/a.png", "source": "square", "value": 1, "west": 0, "width": 4, "x": 0, "y": 0, "z": 0, "zoom": 0,
    "zooms": (0, 1),
}


@pytest.fixture
def handles():
    """One object of each kind that has methods, made anew for each of them: a wrong call may close it."""
    red = style(
        {"id": "red", "type": "background", "paint": {"background-color": "#f00"}},
        {"id": "square", "type": "fill", "source": "square"},
    )
    renderer = neatline.Renderer(red)
    map = neatline.Map(size=8)
    map.load_style(red)
    geojson = neatline.GeoJSON(POINTS, cluster=True)
    tile = neatline.GeoJSON(POINTS).tile(0, 0, 0)
    resources = neatline.Resources()
    image = renderer.draw(center=(0, 0), zoom=0, size=8)
    found = {
        "renderer": renderer, "map": map, "geojson": geojson, "tile": tile, "resources": resources, "image": image,
        "reader": neatline.GeoJSONReader(), "fonts": neatline.Fonts(), "expression": neatline.Expression(1),
        "filter": neatline.Filter(["==", "rank", 1]), "overlay": neatline.Overlay(SQUARE),
        "frame": renderer.frame(center=(0, 0), zoom=0, size=8), "column": tile.layers[0], "loop": map.loop,
        "view": neatline.View(size=8), "eye": neatline.View(size=8).eye, "limits": neatline.Limits(),
        "location": map.location, "viewport": map.viewport, "state": map.viewport.state(),
        "transition": map.viewport.immediate_transition(), "view_annotations": map.view_annotations,
        "annotations": map.make_annotations("point", "points"), "animator": map.make_animator({"zoom": 1}),
        "provider": neatline.LocationProvider(), "snapshotter": neatline.Snapshotter(8),
        "track": neatline.Track('<gpx version="1.1"><wpt lat="1" lon="2"/></gpx>'),
        "custom": map.add_custom_source("custom"),
        "canvas": neatline.snapshot.SnapshotOverlay(8, 8, neatline.View(size=8)),
        "request": neatline.http.HttpRequest("https://example.org/"),
    }
    yield found
    for each in (found["snapshotter"], map, renderer):
        each.close()


def arguments(parameters, known):
    """Keywords with which a call gets as far as it can."""
    return {
        each.name: known.get(each.name, GOOD.get(each.name, 1)) for each in parameters if each.default is each.empty
    }


def failures(name, function, known):
    """What a function raises for wrong arguments that is not allowed, one line each."""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return
    keywords = [each for each in parameters if each.kind in (each.POSITIONAL_OR_KEYWORD, each.KEYWORD_ONLY)]
    wanted = [each.name for each in keywords]
    if any(each.kind == each.VAR_KEYWORD for each in parameters):
        wanted += OPTIONS.get(name, ["center", "zoom", "id"])
    pinned = {each: known["pinned"][each] for each in wanted if each in known.get("pinned", ())}
    for parameter in wanted:
        for what, value in {**BAD, **known["wrong"]}.items():
            given = {**arguments(keywords, known), **pinned, parameter: value}
            yield from tried(f"{name}({parameter}={what})", lambda: function(**given), INDEXED.get(name, ()))
    if any(each.kind == each.VAR_POSITIONAL for each in parameters):
        for what, value in BAD.items():
            yield from tried(f"{name}(*{what})", lambda: function(*arguments(keywords, known).values(), value))


#: Methods that index as Python's sequences do.
INDEXED = {"Layer.properties": (IndexError,)}
#: Options of functions that take any keywords.
OPTIONS = {
    "Map.ease_to": ["center", "zoom", "bearing", "pitch", "roll", "padding", "anchor"],
    "Map.fly_to": ["center", "zoom", "bearing", "pitch", "roll", "padding", "anchor"],
    "Map.make_annotations": ["layer_position", "min_zoom", "cluster", "icon_size"],
    "ViewportState.set_options": ["zoom", "pitch", "bearing", "padding", "geometry"],
}


def tried(call, run, allowed=()):
    """The line of a call that raises what is not allowed; none where it raises what is, or returns."""
    try:
        result = run()
        if inspect.isgenerator(result):
            next(result, None)
        elif isinstance(result, neatline.Snapshotter):
            result.close()
        elif hasattr(result, "__enter__") and not isinstance(result, (neatline._library.Handle, neatline.Listener)):
            with result:
                pass
    except (neatline.NeatlineError, *allowed):
        pass
    except INSIDE as error:
        yield f"{call}: {type(error).__name__}: {ascii(str(error))[:120]}"
    except ALLOWED:
        pass
    except Exception as error:
        yield f"{call}: {type(error).__name__}: {ascii(str(error))[:120]}"


def wrong_handles(handles):
    closed = neatline.GeoJSON(POINTS)
    closed.close()
    return {"closed handle": closed, "other handle": handles["geojson"], "image": handles["image"]}


def told(lines):
    lines = list(lines)
    kinds = collections.Counter(line.split(": ")[1] for line in lines)
    assert not lines, f"{len(lines)} calls, {dict(kinds)}:\n" + "\n".join(lines[:60])


@pytest.fixture(autouse=True)
def quiet(tmp_path, monkeypatch):
    """Files that a wrong path makes lie in a folder of the test, and nobody is told of incomplete images."""
    monkeypatch.chdir(tmp_path)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def public_of(module, prefix=""):
    """Functions and classes of a module, with the class and static methods of these."""
    for name in module.__all__:
        found = getattr(module, name)
        if inspect.isclass(found):
            # The package raises its own errors; nobody else makes them.
            if not issubclass(found, neatline.NeatlineError):
                yield prefix + name, found
            for method, function in inspect.getmembers(found):
                if not method.startswith("_") and isinstance(
                    inspect.getattr_static(found, method), (classmethod, staticmethod)
                ):
                    yield f"{prefix}{name}.{method}", function
        elif callable(found):
            yield prefix + name, found


def test_functions_and_constructors(handles):
    known = {**handles, "wrong": wrong_handles(handles)}
    known.update(map=handles["map"], tile=handles["tile"], resources=handles["resources"])
    lines = []
    for module, prefix in (
        (neatline, ""), (neatline.http, "http."), (neatline.offline, "offline."), (neatline.shapes, "shapes."),
    ):
        for name, function in public_of(module, prefix):
            if name not in SKIPPED:
                lines += failures(name, function, known)
    told(lines)


NAMES = (
    "renderer", "map", "geojson", "tile", "resources", "image", "reader", "fonts", "expression", "filter", "overlay",
    "frame", "column", "loop", "view", "eye", "limits", "location", "viewport", "state", "transition",
    "view_annotations", "annotations", "animator", "provider", "snapshotter", "track", "custom", "canvas", "request",
)
#: Methods that end what they belong to, or have it wait, and need no argument.
ENDS = {"close", "stop", "cancel", "run", "take", "draw_tiles"}


@pytest.mark.parametrize("kind", NAMES)
def test_methods_and_setters(kind, handles):
    known = {**handles, "wrong": wrong_handles(handles)}
    found = handles[kind]
    own = type(found).__name__
    lines = []
    for name in dir(type(found)):
        static = inspect.getattr_static(type(found), name)
        if isinstance(static, property) and static.fset is not None and not name.startswith("_"):
            for what, value in {**BAD, **known["wrong"]}.items():
                lines += tried(f"{own}.{name} = {what}", lambda: setattr(found, name, value))
        elif name.startswith("_") and name not in ("__getitem__", "__contains__") or name in ENDS:
            continue
        elif f"{own}.{name}" in SKIPPED or isinstance(static, (classmethod, staticmethod, property)):
            continue
        elif name.startswith("__"):
            # A mapping raises KeyError for a key that it does not have, a sequence IndexError.
            for what, value in BAD.items():
                lines += tried(f"{own}[{what}]", lambda: getattr(found, name)(value), (KeyError, IndexError))
        elif callable(getattr(found, name)):
            lines += failures(f"{own}.{name}", getattr(found, name), known)
    told(lines)


def test_jobs_and_servers(tmp_path, handles):
    """Pyramids, tilers and the server: a job of a small plan in a folder of the test."""
    plan = neatline.pyramid.plan(style(), max_zoom=0, size=128)
    tiler = neatline.tiler.VectorTiler(["a"], max_zoom=0)
    known = {
        **handles, "wrong": wrong_handles(handles), "plan": plan, "folder": str(tmp_path / "parts"), "shard": 0,
        "target": str(tmp_path / "nowhere" / "a.pmtiles"), "what": str(tmp_path), "layers": ["a"], "layer": "a",
        "inputs": [str(tmp_path / "nothing.geojson")], "batch": object(), "data": b"{}", "text": plan.to_json(),
        "path": str(tmp_path / "file"), "count": 1,
        # Small jobs, which fail at once.
        "pinned": {"max_zoom": 0, "size": 128, "retries": 0, "folder": str(tmp_path / "parts")},
    }
    jobs = (
        neatline.pyramid.plan, neatline.pyramid.render, neatline.pyramid.merge, neatline.pyramid.missing_shards,
        neatline.pyramid.prepare_folder, neatline.pyramid.render_shard, neatline.pyramid.verify,
        neatline.pyramid.Plan.from_json, neatline.pyramid.Plan.load, plan.save, plan.shard,
        neatline.tiler.tile, neatline.tiler.VectorTiler, tiler.add_geojson, tiler.add_arrow, tiler.save, tiler.load,
        tiler.ranges, tiler.thresholds, tiler.describe, tiler.write,
    )
    lines = []
    for job in jobs:
        lines += failures(job.__qualname__, job, known)
    told(lines)


def test_the_server(handles):
    server = pytest.importorskip("neatline.server")
    known = {**handles, "wrong": wrong_handles(handles), "styles": {"a": style()}}
    told(failures("create_app", server.create_app, known))


def members(kind, **known):
    """Objects of a dataclass or named tuple, each with one wrong member."""
    for name in inspect.signature(kind).parameters:
        for what, value in BAD.items():
            yield f"{kind.__name__}({name}={what})", kind(**{**known, name: value})


def test_members_of_values_that_functions_take(handles):
    map, image = handles["map"], handles["image"]
    view, provider = neatline.View(size=8), neatline.LocationProvider()
    map.location.override(provider)
    red = neatline.Renderer(style())
    lines = []
    for call, value in members(neatline.Location, place=(0, 0)):
        lines += tried(call, lambda: map.location.push(value))
        lines += tried(call, lambda: provider.send(value))
    for call, value in members(neatline.Heading, direction=0):
        lines += tried(call, lambda: map.location.push_heading(value))
    for call, value in [
        *members(neatline.Puck), *members(neatline.PuckModel, data=b"glTF"),
        *((call, neatline.Puck(pulsing=each)) for call, each in members(neatline.Pulsing)),
    ]:
        lines += tried(call, lambda: setattr(map.location, "puck", value))
    ornaments = [
        *((call, neatline.Ornaments(scale_bar=each)) for call, each in members(neatline.ScaleBar)),
        *((call, neatline.Ornaments(compass=each)) for call, each in members(neatline.Compass)),
        *((call, neatline.Ornaments(attribution=each)) for call, each in members(neatline.Attribution)),
        *((call, neatline.Ornaments(logo=each)) for call, each in members(neatline.Logo, image=image)),
        *members(neatline.Ornaments),
    ]
    for call, value in ornaments:
        lines += tried(call, lambda: setattr(map, "ornaments", value))
        lines += tried(call, lambda: red.draw(size=8, ornaments=value))
    for kind in (neatline.PointAnnotation, neatline.PolylineAnnotation, neatline.PolygonAnnotation,
                 neatline.CircleAnnotation):
        manager = map.make_annotations(kind)
        for call, value in members(kind, geometry=(0, 0)):
            lines += tried(call, lambda: manager.add(value))
            lines += tried(call, lambda: manager.update(value))
            lines += tried(call, lambda: neatline.Overlay(annotations=[value]))
    for call, value in members(neatline.ViewAnnotation, geometry=(0, 0)):
        lines += tried(call, lambda: map.view_annotations.add(value))
    for call, value in members(neatline.View, size=8):
        for use in (
            lambda: value.point((0, 0)), lambda: value.place((1, 1)), lambda: value.bounds, lambda: value.eye,
            lambda: value.fit((0, 0, 1, 1)), lambda: value.within(neatline.Limits()), lambda: view.ease(value, 0.5),
            lambda: view.fly(value, 0.5), lambda: map.set_camera(**value.camera),
        ):
            lines += tried(call, use)
    for call, value in members(neatline.Limits):
        lines += tried(call, lambda: view.within(value))
        lines += tried(call, lambda: map.set_limits(value))
    for call, value in members(neatline.Eye, position=(0.5, 0.5, 1)):
        lines += tried(call, lambda: view.seen_from(value))
        lines += tried(call, lambda: value.looking_at((0, 0)))
    told(lines)


def test_what_callbacks_return_and_hosts_change(handles):
    """A transform, a service or an interceptor is called by the library's threads: what it gives wrongly fails the
    request, and nothing is raised past the library."""
    for given in BAD.values():
        resources = neatline.Resources(transform=lambda kind, url, given=given: given, retries=0)
        with pytest.raises((*ALLOWED, neatline.NeatlineError)) as raised:
            resources.load("style", "file:///nowhere/at/all.json")
        assert not isinstance(raised.value, INSIDE)


def test_messages_name_the_parameter_and_the_value():
    for error, words, call in (
        (ValueError, "zoom must be a finite number, not nan", lambda r: r.draw(zoom=float("nan"))),
        (ValueError, "zoom must be a finite number, not 1000", lambda r: r.draw(zoom=10**400)),
        (TypeError, "ratio must be a number, not None", lambda r: r.draw_tile(0, 0, 0, ratio=None)),
        (TypeError, "z must be a whole number, not 'a'", lambda r: r.draw_tile("a", 0, 0)),
        (ValueError, r"z 1180591620717411303424 is not within 0 to 4294967295", lambda r: r.draw_tile(HUGE, 0, 0)),
        (ValueError, r"language must be Unicode text without lone surrogates, not '\\ud800'",
         lambda r: neatline.localize_labels(style(), "\ud800")),
        (TypeError, "language must be a str, not 5", lambda r: neatline.localize_labels(style(), 5)),
        (ValueError, "local_files <object object", lambda r: neatline.Map(local_files=object())),
        (TypeError, "images must be a mapping, not 5", lambda r: neatline.Overlay(SQUARE, images=5)),
        (TypeError, "overlay is a GeoJSON, not a neatline.Overlay",
         lambda r: r.draw(size=8, overlay=neatline.GeoJSON(SQUARE))),
        (TypeError, "data must be bytes-like, not a int", lambda r: neatline.decode_tile(HUGE)),
        (ValueError, "format 'nothing' is none of auto, mvt, mlt", lambda r: neatline.decode_tile(b"", "nothing")),
        (TypeError, "map must be a Map, not 5", lambda r: neatline.StyleLoad(5, None)),
    ):
        with neatline.Renderer(style()) as renderer, pytest.raises(error, match=words):
            call(renderer)


def test_calls_of_closed_handles_say_so(handles):
    for name in ("renderer", "geojson", "tile", "image", "fonts", "expression", "overlay", "track"):
        handles[name].close()
    for call in (
        lambda: handles["renderer"].draw(zoom=0), lambda: handles["geojson"].tile(0, 0, 0),
        lambda: handles["image"].png(), lambda: handles["expression"].evaluate(), lambda: handles["tile"].to_mvt(),
        lambda: handles["overlay"].add_image("a", handles["image"]), lambda: len(handles["track"]),
    ):
        with pytest.raises(neatline.InvalidStateError, match="closed"):
            call()


def test_the_walk_finds_errors_from_inside_the_binding():
    for error in (ctypes.ArgumentError("a"), AttributeError("a"), struct.error("a"), KeyError("a"),
                  UnicodeEncodeError("utf-8", "a", 0, 1, "a"), OverflowError("a"), RecursionError("a")):
        def raising(value, error=error):
            raise error

        assert any(tried("call", lambda: raising(1)))
