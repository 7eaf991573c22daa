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
