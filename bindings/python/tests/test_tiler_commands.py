"""`python -m neatline tile`: what it does, says, and ends with."""

import json
import os
import pathlib
import subprocess
import sys

import pytest

import neatline
from neatline import tiler
from neatline.__main__ import main

from tiler_data import crowd, write_lines


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_lines(tmp_path / "a.geojsonl", 1500, 1)
    write_lines(tmp_path / "b.geojson", 1500, 2)
    crowd(tmp_path / "crowd.ndjson", 6000)
    return tmp_path


def run(*arguments):
    return main(["tile", *map(str, arguments)])


def usage(capsys, *arguments):
    """The words of arguments that do not fit."""
    try:
        status = run(*arguments)
    except SystemExit as ended:
        status = ended.code
    assert status == 2
    return capsys.readouterr().err


def test_files_become_layers(here, capsys):
    assert run("a.geojsonl", "b.geojson", "--zoom", "0-3", "out.pmtiles", "--attribution", "us") == 0
    assert "tiles, " in capsys.readouterr().out
    info = neatline.Archive("out.pmtiles").info
    assert [each["id"] for each in info["vector_layers"]] == ["a", "b"] and info["attribution"] == "us"
    assert (info["minzoom"], info["maxzoom"]) == (0, 3)
    assert run("a.geojsonl", "b.geojson", "--layer", "x", "--zoom=2", "-o", "two.mbtiles", "--plain") == 0
    info = neatline.Archive("two.mbtiles").info
    assert [each["id"] for each in info["vector_layers"]] == ["x", "b"] and info["minzoom"] == 2


def test_all_options_mean_what_they_mean_to_the_function(here):
    given = [
        "crowd.ndjson", "a.geojsonl", "out.pmtiles", "--zoom", "1-4", "--layer", "p", "--buffer", "32",
        "--tolerance", "1.5", "--extent", "2048", "--generate-id", "--line-metrics", "--exclude", "share",
        "--filter", '["<", ["get", "n"], 5000]', "--drop-rate", "1.5", "--base-zoom", "3",
        "--drop", "fraction", "--max-tile-bytes", "5000", "--max-tile-features", "400", "--memory", "16",
        "--threads", "2", "--name", "N", "--description", "D", "--max-tiles", "100000",
    ]  # fmt: skip
    assert run(*given) == 0
    wanted = ["<", ["get", "n"], 5000]
    tiler.tile(
        [("p", "crowd.ndjson"), "a.geojsonl"], "same.pmtiles", min_zoom=1, max_zoom=4, buffer=32, tolerance=1.5,
        extent=2048, generate_id=True, line_metrics=True, exclude=["share"], filters={"p": wanted, "a": wanted},
        drop_rate=1.5, base_zoom=3, drop="fraction", max_tile_bytes=5000, max_tile_features=400,
        metadata={"name": "N", "description": "D"},
    )  # fmt: skip
    assert pathlib.Path("out.pmtiles").read_bytes() == pathlib.Path("same.pmtiles").read_bytes()
    assert run("a.geojsonl", "b.geojson", "c.pmtiles", "--zoom", 0, "--exclude-all", "--promote-id", "n",
               "--filter", 'b=["==", ["get", "n"], 7]', "--coalesce", "densest", "--max-tile-features", 50) == 0  # fmt: skip
    a, b = neatline.Archive("c.pmtiles").decode(0, 0, 0).layers
    assert len(a) + len(b) <= 50 and all(not each.properties for each in a)


def test_workers_make_the_same_and_go_on(here, capsys):
    options = ["crowd.ndjson", "a.geojsonl", "--zoom", "0-4"]
    assert run(*options, "one.pmtiles") == 0
    assert run(*options, "two.pmtiles", "--workers", 2) == 0
    assert pathlib.Path("one.pmtiles").read_bytes() == pathlib.Path("two.pmtiles").read_bytes()
    assert not pathlib.Path("two.pmtiles.parts").exists()
    tiler.tile(["crowd.ndjson", "a.geojsonl"], "x.pmtiles", max_zoom=4, folder="parts", keep_parts=True)
    capsys.readouterr()
    assert run(*options, "three.pmtiles", "--folder", "parts") == 0
    assert "runs and parts were there already" in capsys.readouterr().out
    assert not pathlib.Path("parts").exists()
    tiler.tile(["crowd.ndjson"], "x.pmtiles", max_zoom=4, folder="parts", keep_parts=True, overwrite=True)
    assert run(*options, "four.pmtiles", "--folder", "parts") == 1
    assert "of another job" in capsys.readouterr().err
    assert run(*options, "four.pmtiles", "--folder", "parts", "--restart") == 0
    assert pathlib.Path("one.pmtiles").read_bytes() == pathlib.Path("four.pmtiles").read_bytes()


def test_reports(here, capsys):
    assert run("crowd.ndjson", "a.pmtiles", "--zoom", "0-1", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["features"] == 6000 and found["tiles"] == 5 and found["notes"] == []
    assert run("crowd.ndjson", "b.pmtiles", "--zoom", "0-1", "--max-tile-features", 100) == 0
    said = capsys.readouterr()
    assert "warning: " in said.err and "--drop or --coalesce makes them smaller" in said.err
    assert (
        run("crowd.ndjson", "c.pmtiles", "--zoom", "0-1", "--max-tile-features", 100, "--drop", "densest")
        == 0
    )
    said = capsys.readouterr()
    assert "pieces of features were dropped" in said.out and said.err == ""
    assert run("nowhere.geojson", "d.pmtiles", "--json") == 1
    said = capsys.readouterr()
    assert json.loads(said.out)["status"] == "notFound" and "nowhere.geojson" in said.err


def test_columns_that_were_left_out_are_told(here, capsys):
    pyarrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    import pyarrow.parquet

    from test_tiler_run import geoparquet

    path = geoparquet(here / "odd.parquet", 20)
    data = pyarrow.parquet.read_table(path)
    pyarrow.parquet.write_table(data.append_column("raw", pyarrow.array([b"x"] * 20)), path)
    assert run("odd.parquet", "a.pmtiles", "--zoom", 0) == 0
    assert 'odd.parquet: column "raw": ' in capsys.readouterr().err


def test_failures_are_status_1(here, capsys):
    assert run("a.geojsonl", "out.pmtiles", "--zoom", 0) == 0
    assert run("a.geojsonl", "out.pmtiles", "--zoom", 0) == 1
    assert "out.pmtiles is there already: --force replaces it" in capsys.readouterr().err
    assert run("a.geojsonl", "out.pmtiles", "--zoom", 0, "--force") == 0
    (here / "bad.geojson").write_text('{"type":"Feature",\n"geometry":7}')
    assert run("bad.geojson", "x.pmtiles") == 1
    assert "bad.geojson" in capsys.readouterr().err
    assert run("a.geojsonl", "x.zip") == 1
    assert run("a.geojsonl", "x.pmtiles", "--zoom", 27) == 1
    assert run("a.geojsonl", "x.pmtiles", "--filter", 'c=["has", "n"]') == 1
    assert 'layer "c"' in capsys.readouterr().err
    assert run("a.geojsonl", "x.pmtiles", "--filter", '["nonesuch"]') == 1
    assert not pathlib.Path("x.pmtiles").exists()


def test_wrong_arguments_are_status_2(here, capsys):
    for words, *arguments in [
        ("INPUT or OUT is missing",),
        ("INPUT or OUT is missing", "a.geojsonl"),
        ("more names than files", "a.geojsonl", "o.pmtiles", "--layer", "x", "--layer", "y"),
        ("neither Z nor MIN-MAX", "a.geojsonl", "o.pmtiles", "--zoom", "5-3"),
        ("neither Z nor MIN-MAX", "a.geojsonl", "o.pmtiles", "--zoom", "x"),
        ("is given twice", "a.geojsonl", "o.pmtiles", "--zoom", "1", "--zoom", "2"),
        ("--fast", "a.geojsonl", "o.pmtiles", "--fast"),
        ("not both", "a.geojsonl", "o.pmtiles", "--drop", "densest", "--coalesce", "densest"),
        ("invalid choice", "a.geojsonl", "o.pmtiles", "--drop", "loudest"),
        ("only", "a.geojsonl", "o.pmtiles", "--include", "a", "--exclude", "b"),
        ("only", "a.geojsonl", "o.pmtiles", "--include", "a", "--exclude-all"),
        ("neither JSON nor LAYER=JSON", "a.geojsonl", "o.pmtiles", "--filter", "n < 5"),
        ("neither JSON nor LAYER=JSON", "a.geojsonl", "o.pmtiles", "--filter", "a=[1"),
        ("has two", "a.geojsonl", "o.pmtiles", "--filter", "[\"has\",\"n\"]", "--filter", "a=true"),
        ("1...4096", "a.geojsonl", "o.pmtiles", "--workers", "0"),
        ("1024...", "a.geojsonl", "o.pmtiles", "--max-tile-bytes", "5"),
    ]:  # fmt: skip
        assert words in usage(capsys, *arguments), arguments
    assert not pathlib.Path("o.pmtiles").exists()


def test_the_module_is_a_program(here):
    done = subprocess.run(
        [sys.executable, "-m", "neatline", "tile", "a.geojsonl", "crowd.ndjson", "o.pmtiles", "--zoom", "0-2", "--workers", "2"],
        capture_output=True, text=True, env=os.environ,
    )  # fmt: skip
    assert done.returncode == 0 and "tiles, " in done.stdout and done.stderr == ""
    help = subprocess.run(
        [sys.executable, "-m", "neatline", "tile", "--help"], capture_output=True, text=True
    )
    assert help.returncode == 0 and "--coalesce" in help.stdout and "--workers N" in help.stdout


def test_the_program_and_this_have_the_same_options():
    """By its table in the source; what only this one has is known."""
    import re

    root = pathlib.Path(__file__).resolve().parents[3] / "Sources/NeatlineCLI/Commands"
    text = "".join((root / name).read_text() for name in ("TileCommand.swift", "ArchiveJob.swift"))
    theirs = set(re.findall(r'OptionEntry\(\s*"(--[a-z-]+)"', text))
    from neatline.tiler.cli import parser

    mine = {name for action in parser()._actions for name in action.option_strings if name.startswith("--")}
    assert theirs - mine == set() and mine - theirs == {"--help", "--folder"}
