"""Errors and declarations."""

import pathlib
import subprocess
import sys

import pytest

import neatline
from neatline import _abi
from neatline.errors import error_of

ROOT = pathlib.Path(__file__).resolve().parents[3]


def test_every_status_has_its_class():
    for status in _abi.Status:
        if status != _abi.Status.OK:
            assert error_of(status, "words").status == status
    assert type(error_of(12345, "words")) is neatline.NeatlineError


def test_errors_are_the_builtin_kinds_too():
    assert issubclass(neatline.FileError, OSError)
    assert issubclass(neatline.DeadlineError, TimeoutError)
    assert issubclass(neatline.JSONError, ValueError)
    assert str(error_of(_abi.Status.IO, "x.json: no such file")) == "x.json: no such file"


def test_a_missing_style_names_the_file(tmp_path):
    with pytest.raises(neatline.NeatlineError) as caught:
        neatline.Renderer(tmp_path / "none.json")
    assert "none.json" in str(caught.value)


@pytest.mark.parametrize("text", ["{", "[]", "3", "words"])
def test_styles_that_are_none(text, tmp_path):
    path = tmp_path / "broken.json"
    path.write_text(text)
    with pytest.raises((neatline.JSONError, neatline.StyleError)):
        neatline.Renderer(path)


def test_what_is_wrong_inside_a_style_is_told():
    problems = neatline.Renderer('{"version": 8, "sources": {}, "layers": 3}').problems
    assert any("layers" in problem.message for problem in problems)


def test_the_declarations_are_those_of_the_header():
    script = ROOT / "scripts/generate-python"
    if not script.exists():
        pytest.skip("not in a checkout")
    result = subprocess.run([sys.executable, script, "--check"], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr


def test_the_library_has_every_declared_function():
    from neatline._library import lib

    assert [name for name in _abi.FUNCTIONS if getattr(lib, name, None) is None] == []


def test_versions():
    assert neatline.abi_version() == _abi.ABI_VERSION
    assert neatline.version() == neatline.__version__


def test_columns_without_numpy(points):
    """The package works where numpy is not installed."""
    code = (
        "import sys; sys.modules['numpy'] = None; import neatline;"
        "t = neatline.decode_tile(bytes.fromhex(sys.argv[1])); l = t.layers[0];"
        "assert list(l.types) == [1] * 5 and l.points[2, 0] == 2048, l.points[2, 0];"
        "assert l[2].parts[0][0][0] == 2048 and l.properties(1)['name'] == 'p1';"
        "assert list(neatline.Expression(['get', 'rank']).evaluate_layer(t, 0)) == [0, 1, 2, 3, 4]"
    )
    result = subprocess.run(
        [sys.executable, "-c", code, points.to_mvt().hex()], capture_output=True, text=True
    )
    assert result.returncode == 0, result.stderr


WRONG = [None, object(), 1, "\ud800", b"", [], {}]


@pytest.mark.parametrize("name", ["overlay", "resources", "loop", "image", "tile", "evaluated tile", "state", "transition", "track", "regions", "puck"])
def test_a_handle_of_another_kind_is_refused_by_the_name_of_its_parameter(name, red):
    """The library cannot tell its objects from each other: these calls ended the process."""
    other = neatline.GeoJSON({"type": "FeatureCollection", "features": []})
    map = neatline.Map(size=(64, 64))
    renderer = neatline.Renderer(red)
    track = "track"
    calls = {
        "overlay": lambda wrong: renderer.draw(center=(0, 0), zoom=0, size=(8, 8), overlay=wrong),
        "resources": lambda wrong: neatline.Renderer(red, resources=wrong),
        "loop": lambda wrong: neatline.Map(size=(8, 8), loop=wrong),
        "image": lambda wrong: map.add_persistent_image("a", wrong),
        "tile": lambda wrong: neatline.tile.Layer(wrong, 0),
        "evaluated tile": lambda wrong: neatline.Expression(["get", "a"]).evaluate_layer_strings(wrong, 0),
        "state": lambda wrong: map.viewport.go(wrong),
        "transition": lambda wrong: map.viewport.go(map.viewport.follow_puck(), wrong),
        track: lambda wrong: map.location.replay(wrong),
        "regions": lambda wrong: neatline.offline.regions(wrong),
        "puck": lambda wrong: setattr(map.location, "puck", neatline.location.Puck(top=wrong)),
    }
    may_be_none = ("overlay", "resources", "loop", "transition", "puck")
    for wrong in [*WRONG, other]:
        if wrong is None and name in may_be_none:
            continue
        with pytest.raises(TypeError, match=f"{name.split()[-1] if name != 'regions' else 'resources'} is a {type(wrong).__name__}, not a neatline"):
            calls[name](wrong)
    map.close()
