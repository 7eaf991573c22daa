"""The blocks of docs/pyramids.md are run in their order, in a folder with a style, but for those that say
`notest`."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

from pyramid_data import make_style

PAGE = pathlib.Path(__file__).resolve().parents[3] / "docs/pyramids.md"
NEEDS = {"dask": "distributed", "austria.tif": "rasterio", "austria.zarr": "zarr", "memory://": "fsspec"}


def blocks():
    text = PAGE.read_text()
    return re.findall(r"^```(python|sh)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


@pytest.mark.skipif(not PAGE.exists(), reason="the page is not beside the package")
def test_the_blocks_of_the_page_run(tmp_path, monkeypatch):
    for module in NEEDS.values():
        pytest.importorskip(module)
    monkeypatch.chdir(tmp_path)
    make_style(tmp_path / "tomorrow", skip={10})
    make_style(tmp_path)
    shutil.move(tmp_path / "tomorrow/land.pmtiles", tmp_path / "land-of-tomorrow.pmtiles")
    found = blocks()
    assert len(found) >= 8
    namespace = {"__name__": "__main__"}
    for language, code in found:
        if language == "python":
            exec(compile(code, str(PAGE), "exec"), namespace)  # noqa: S102  the page's own
        else:
            command = f'neatline() {{ "{sys.executable}" -m neatline "$@"; }}\nset -e\n{code}'
            ran = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
            assert ran.returncode == 0, ran.stderr
    one = (tmp_path / "austria.pmtiles").read_bytes()
    for other in ("austria2", "austria3", "austria4"):
        assert (tmp_path / f"{other}.pmtiles").read_bytes() == one
    assert 0 < namespace["summary"].reused < namespace["summary"].tiles
    assert os.path.isdir("austria.zarr") and os.path.isfile("tiles/tilejson.json")


@pytest.mark.skipif(not PAGE.exists(), reason="the page is not beside the package")
def test_the_page_names_every_argument_and_public_name():
    import inspect

    from neatline import pyramid

    text = PAGE.read_text()
    for name in inspect.signature(pyramid.plan).parameters:
        assert f"`{name}`" in text, name
    for name in inspect.signature(pyramid.render).parameters:
        assert name in text, name
    lacking = [name for name in pyramid.__all__ if name not in text]
    assert lacking == []
